package dev.berth.policy.state;

import dev.berth.policy.usage.OwnerForecasts;
import dev.berth.policy.usage.OwnerModels;
import java.util.Arrays;

/**
 * What the pods on each node are expected to use at some horizons, as on a node of average speed:
 * of each pod its owner's forecast and its own deviation. Summed up when a decision asks for it,
 * and kept from one decision to the next until the owners' forecasts are others or the node has
 * changed: of 5,000 nodes with ten pods this was half of a decision's time.
 *
 * <p>Thread rule: as {@link ClusterState}.
 */
final class ExpectedPods {
  private final OwnerModels owners;
  private final OwnerForecasts forecasts;
  private final boolean learned;
  private double[] sums = {};
  private int horizons;

  /** The forecasts, and the {@link NodeRows#writes} of the row, that its sums were made of. */
  private int[] ofForecasts = {};

  private int[] ofWrites = {};
  private int round;

  /**
   * @param learned whether owners differ; else every pod uses the cluster's mean ratio
   */
  ExpectedPods(OwnerModels owners, boolean learned) {
    this.owners = owners;
    forecasts = new OwnerForecasts(owners);
    this.learned = learned;
  }

  /** What is asked for from here on is of this time and these horizons. */
  void begin(double now, double[] to) {
    if (to.length != horizons) {
      horizons = to.length;
      sums = new double[0];
      ofForecasts = new int[0];
      ofWrites = new int[0];
    }
    round = forecasts.begin(now, to);
  }

  /** Cores of the rows that were asked for; where a row's begin, {@link #at} says. */
  double[] sums() {
    return sums;
  }

  /** Where the row's sums begin, {@code [horizons]} of them. */
  int at(NodeRows rows, int row) {
    if (row >= ofWrites.length) {
      ofForecasts = Arrays.copyOf(ofForecasts, rows.writes.length);
      ofWrites = Arrays.copyOf(ofWrites, rows.writes.length);
      sums = Arrays.copyOf(sums, rows.writes.length * horizons);
    }
    int start = row * horizons;
    if (ofForecasts[row] != round || ofWrites[row] != rows.writes[row]) {
      ofForecasts[row] = round;
      ofWrites[row] = rows.writes[row];
      Arrays.fill(sums, start, start + horizons, 0);
      add(rows.owners[row], rows.groups[row], start);
    }
    return start;
  }

  private void add(int[] numbers, double[] groups, int start) {
    double clusterRatio = owners.ratio(); // as last refreshed: another one is another round
    for (int g = 0; g < numbers.length; g++) {
      int owner = forecasts.at(numbers[g]);
      double[] values = forecasts.values();
      double requested = groups[NodeRows.GROUP * g];
      double deviation = groups[NodeRows.GROUP * g + 1];
      for (int h = 0; h < horizons; h++) {
        double cores =
            learned
                ? Math.max(0, requested * values[owner + h] + deviation)
                : requested * clusterRatio;
        sums[start + h] += cores * values[owner + horizons + h];
      }
    }
  }
}
