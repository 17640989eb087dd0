package dev.berth.policy.state;

import dev.berth.policy.usage.OwnerForecasts;
import dev.berth.policy.usage.OwnerModels;
import java.util.Arrays;

/**
 * What each node is expected to use at some horizons: its own overhead, its pods, and what no
 * estimate explains. Of each pod that is its owner's forecast and its own deviation. Made when a
 * decision asks for it, and kept from one decision to the next until the second is over, something
 * was learned of an owner or the node has changed: of 5,000 nodes with ten pods this was half of a
 * decision's time.
 *
 * <p>Thread rule: as {@link ClusterState}.
 */
final class NodeForecasts {
  /** Share of a node's unexplained residual that a forecast of now keeps. */
  private static final double RESIDUAL_WEIGHT = 0.5;

  /** Seconds in which half of the residual passes. */
  private static final double RESIDUAL_HALF_LIFE = 600;

  private final OwnerModels owners;
  private final OwnerForecasts forecasts;
  private final boolean learned;
  private double[] horizons = {};

  /** Share of a residual of now that counts at each horizon, {@code [horizons]}. */
  private double[] residuals = {};

  private double[] values = {};
  private double second;

  // Nodes are sampled together, and exp is dear.
  private double lastSampledAt = Double.NaN;
  private double keptSince;

  /** The forecasts, and the {@link NodeRows#writes} of the row, that its values were made of. */
  private int[] ofForecasts = {};

  private int[] ofWrites = {};
  private int round;

  /**
   * @param learned whether owners differ; else every pod uses the cluster's mean ratio
   */
  NodeForecasts(OwnerModels owners, boolean learned) {
    this.owners = owners;
    forecasts = new OwnerForecasts(owners);
    this.learned = learned;
  }

  /** What is asked for from here on is of this time, to the whole second, and these horizons. */
  void begin(double now, double[] to) {
    if (!Arrays.equals(to, horizons)) {
      horizons = to.clone();
      residuals = new double[to.length];
      Arrays.setAll(residuals, h -> RESIDUAL_WEIGHT * residualKept(to[h]));
      values = new double[0];
      ofForecasts = new int[0];
      ofWrites = new int[0];
    }
    if (second != Math.floor(now)) {
      second = Math.floor(now);
      lastSampledAt = Double.NaN;
    }
    round = forecasts.begin(now, to);
  }

  /** Cores of the rows that were asked for; where a row's begin, {@link #at} says. */
  double[] values() {
    return values;
  }

  /** Where the row's values begin, {@code [horizons]} of them. */
  int at(NodeRows rows, int row) {
    if (row >= ofWrites.length) {
      ofForecasts = Arrays.copyOf(ofForecasts, rows.writes.length);
      ofWrites = Arrays.copyOf(ofWrites, rows.writes.length);
      values = Arrays.copyOf(values, rows.writes.length * horizons.length);
    }
    int start = row * horizons.length;
    if (ofForecasts[row] != round || ofWrites[row] != rows.writes[row]) {
      ofForecasts[row] = round;
      ofWrites[row] = rows.writes[row];
      Arrays.fill(values, start, start + horizons.length, 0);
      addPods(rows.owners[row], rows.groups[row], start);
      addNode(rows, row, values, start);
    }
    return start;
  }

  private void addPods(int[] numbers, double[] groups, int start) {
    double clusterRatio = owners.ratio(); // as last refreshed: another one is another round
    int count = horizons.length;
    for (int g = 0; g < numbers.length; g++) {
      int owner = forecasts.at(numbers[g]);
      double[] of = forecasts.values();
      double requested = groups[NodeRows.GROUP * g];
      double deviation = groups[NodeRows.GROUP * g + 1];
      for (int h = 0; h < count; h++) {
        double cores =
            learned ? Math.max(0, requested * of[owner + h] + deviation) : requested * clusterRatio;
        values[start + h] += cores * of[owner + count + h];
      }
    }
  }

  /**
   * Makes of what a node's pods use, as on one of average speed, what the node does.
   *
   * @param cores {@code [horizons]} from {@code start} on; changed
   */
  void addNode(NodeRows rows, int row, double[] cores, int start) {
    double sampledAt = rows.sampledAt[row];
    if (sampledAt != lastSampledAt) { // true where it is NaN
      lastSampledAt = sampledAt;
      keptSince = Double.isNaN(sampledAt) ? 0 : residualKept(second - sampledAt);
    }
    double residual = keptSince * rows.residual[row];
    for (int h = 0; h < residuals.length; h++) {
      cores[start + h] =
          rows.overhead[row] + rows.slowness[row] * cores[start + h] + residuals[h] * residual;
    }
  }

  /** Share of an unexplained residual that is left after some seconds. */
  private static double residualKept(double seconds) {
    return Math.exp(-Math.log(2) * Math.max(0, seconds) / RESIDUAL_HALF_LIFE);
  }
}
