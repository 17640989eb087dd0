package dev.berth.policy.features;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.network.Rows;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.state.NodeColumns;
import dev.berth.policy.state.SampleState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the rows of a decision are made of: read once, while the cluster state stands still. How its
 * candidates compare is worked out, and rows are made of those that are asked for, when somebody
 * asks: a scheduler waits for few of them or none. Immutable, safe to share.
 */
public final class FeatureColumns {
  private static final double AGE_SCALE = 300;
  private static final double LOAD_SCALE = 4;
  private static final double ERROR_SCALE = 10;

  private final Candidates candidates;
  private final Pod pod;
  private final Forecast forecast;
  private final NodeColumns nodes;
  private volatile @Nullable Compared compared;

  /**
   * How the candidates compare.
   *
   * @param before loads without the pod, {@code [FeatureSchema.LOADS][candidates]}
   * @param added what it adds to them
   * @param mean of each load, {@code [FeatureSchema.LOADS]}
   * @param std of the first
   * @param meanMilli capacity
   */
  private record Compared(
      double[][] before, double[][] added, double[] mean, double std, double meanMilli) {}

  /** Reads the cluster state: its owner's lock must be held. */
  public FeatureColumns(Decision d, Forecast forecast) {
    this.candidates = d.candidates();
    this.pod = d.pod();
    this.forecast = forecast;
    nodes = d.state().columns(candidates, d.now());
  }

  private Compared compared() {
    Compared known = compared;
    if (known == null) {
      double[][] before = loads(candidates, forecast);
      double[] mean = Arrays.stream(before).mapToDouble(FeatureColumns::mean).toArray();
      double capacity = 0;
      for (long milli : candidates.cpuMilli()) {
        capacity += (double) milli / candidates.size();
      }
      known =
          new Compared(
              before, added(candidates, pod, forecast), mean, std(before[0], mean[0]), capacity);
      compared = known;
    }
    return known;
  }

  /** How many candidates there are. */
  public int candidates() {
    return candidates.size();
  }

  /** Rows of all candidates. */
  public FeatureRows rows() {
    return rows(IntStream.range(0, candidates()).toArray());
  }

  /** Rows of some candidates, in the order given; what compares them is that of all. */
  public FeatureRows rows(int[] chosen) {
    float[] rows = new float[chosen.length * FeatureSchema.SIZE];
    float[] after = new float[rows.length];
    Compared c = compared();
    for (int k = 0; k < chosen.length; k++) {
      row(c, chosen[k], k * FeatureSchema.SIZE, rows, after);
    }
    int[][] all = {groups(candidates.racks()), groups(candidates.zones()), owners(forecast)};
    int[][] groups = Rows.noGroups(chosen.length);
    for (int g = 0; g < Rows.NAMED; g++) {
      for (int k = 0; k < chosen.length; k++) {
        groups[g][k] = all[g][chosen[k]];
      }
    }
    return new FeatureRows(rows, after, groups);
  }

  private void row(Compared c, int i, int start, float[] rows, float[] after) {
    double[][] before = c.before;
    double[][] added = c.added;
    double[] mean = c.mean;
    int at = start;
    for (int k = 0; k < mean.length; k++) {
      double deviation = before[k][i] - mean[k];
      rows[at] = (float) before[k][i];
      after[at++] = (float) (before[k][i] + added[k][i]);
      rows[at] = (float) (LOAD_SCALE * deviation);
      // The mean moves with the placement too; what stays is the part the other nodes do not share.
      after[at++] = (float) (LOAD_SCALE * (deviation + added[k][i] * (1 - 1.0 / candidates())));
    }
    int rest = at;
    int last = forecast.horizons().length - 1;
    double share = 1000 / (double) candidates.cpuMilli()[i];
    boolean absent = nodes.state()[i] == SampleState.ABSENT;
    rows[at++] = absent ? (float) before[0][i] : (float) (nodes.meanCpu()[i] * share);
    rows[at++] = absent ? 0 : (float) (10 * nodes.trendCpu()[i] * share);
    rows[at++] = absent ? 1 : (float) Math.min(1, nodes.sampleAge()[i] / AGE_SCALE);
    rows[at++] = nodes.state()[i] == SampleState.STALE ? 1 : 0;
    rows[at++] = absent ? 1 : 0;
    rows[at++] = (float) (candidates.cpuMilli()[i] / c.meanMilli - 1);
    rows[at++] = (float) (nodes.slowness()[i] - 1);
    rows[at++] = (float) (ERROR_SCALE * nodes.meanError()[i]);
    rows[at++] = (float) mean[0];
    rows[at++] = (float) (LOAD_SCALE * c.std);
    rows[at++] = (float) (10 * added[0][i]);
    rows[at++] = (float) forecast.podSurvival()[last];
    rows[at] = (float) Math.sqrt(forecast.ratioVariance()[last]);
    System.arraycopy(rows, rest, after, rest, at + 1 - rest);
  }

  private static double[][] loads(Candidates c, Forecast f) {
    int n = c.size();
    int horizons = f.horizons().length;
    double[][] loads = new double[FeatureSchema.LOADS.size()][n];
    for (int i = 0; i < n; i++) {
      for (int h = 0; h < 5; h++) {
        loads[h][i] = f.before()[Math.min(h, horizons - 1)][i];
      }
      loads[5][i] = (double) c.cpuRequestedMilli()[i] / c.cpuMilli()[i];
      loads[6][i] = (double) c.memoryRequestedBytes()[i] / c.memoryBytes()[i];
      loads[7][i] = (double) c.podCount()[i] / c.podLimit()[i];
      loads[8][i] = f.ownerRequestFraction()[i];
    }
    return loads;
  }

  private static double[][] added(Candidates c, Pod pod, Forecast f) {
    int n = c.size();
    int horizons = f.horizons().length;
    double[][] added = new double[FeatureSchema.LOADS.size()][n];
    for (int i = 0; i < n; i++) {
      for (int h = 0; h < 5; h++) {
        int k = Math.min(h, horizons - 1);
        added[h][i] = 1000 * f.podCores()[k] * f.podSurvival()[k] / f.power()[i];
      }
      added[5][i] = (double) pod.cpuMilli() / c.cpuMilli()[i];
      added[6][i] = (double) pod.memoryBytes() / c.memoryBytes()[i];
      added[7][i] = 1.0 / c.podLimit()[i];
      added[8][i] = (double) pod.cpuMilli() / f.power()[i];
    }
    return added;
  }

  /** Candidates that already run pods of this owner are one group, the others none. */
  private static int[] owners(Forecast f) {
    return Arrays.stream(f.ownerRequestFraction()).mapToInt(a -> a > 0 ? 0 : -1).toArray();
  }

  private static int[] groups(String[] labels) {
    Map<String, Integer> ids = new HashMap<>();
    int[] groups = new int[labels.length];
    for (int i = 0; i < labels.length; i++) {
      groups[i] = labels[i].isEmpty() ? -1 : ids.computeIfAbsent(labels[i], x -> ids.size());
    }
    return groups;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double v : values) {
      sum += v;
    }
    return values.length == 0 ? 0 : sum / values.length;
  }

  private static double std(double[] values, double mean) {
    double sum = 0;
    for (double v : values) {
      sum += (v - mean) * (v - mean);
    }
    return values.length == 0 ? 0 : Math.sqrt(sum / values.length);
  }
}
