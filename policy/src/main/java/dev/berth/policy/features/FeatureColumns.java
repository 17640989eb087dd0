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
   * @param mean of each load, {@code [FeatureSchema.LOADS]}
   * @param std of the first
   * @param meanMilli capacity
   */
  private record Compared(double[][] before, double[] mean, double std, double meanMilli) {}

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
      known = new Compared(before, mean, std(before[0], mean[0]), capacity);
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
    double[] added = new double[FeatureSchema.LOADS.size()];
    for (int k = 0; k < chosen.length; k++) {
      add(chosen[k], added);
      row(c, added, chosen[k], k * FeatureSchema.SIZE, rows, after);
    }
    int[][] groups = Rows.noGroups(chosen.length);
    number(candidates.racks(), chosen, groups[0]);
    number(candidates.zones(), chosen, groups[1]);
    for (int k = 0; k < chosen.length; k++) {
      // Candidates that already run pods of this owner are one group, the others none.
      groups[2][k] = forecast.ownerRequestFraction()[chosen[k]] > 0 ? 0 : -1;
    }
    return new FeatureRows(rows, after, groups);
  }

  private void row(Compared c, double[] added, int i, int start, float[] rows, float[] after) {
    double[][] before = c.before;
    double[] mean = c.mean;
    int at = start;
    for (int k = 0; k < mean.length; k++) {
      double deviation = before[k][i] - mean[k];
      rows[at] = (float) before[k][i];
      after[at++] = (float) (before[k][i] + added[k]);
      rows[at] = (float) (LOAD_SCALE * deviation);
      // The mean moves with the placement too; what stays is the part the other nodes do not share.
      after[at++] = (float) (LOAD_SCALE * (deviation + added[k] * (1 - 1.0 / candidates())));
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
    rows[at++] = (float) (10 * added[0]);
    rows[at++] = (float) forecast.podSurvival()[last];
    rows[at] = (float) Math.sqrt(forecast.ratioVariance()[last]);
    System.arraycopy(rows, rest, after, rest, at + 1 - rest);
  }

  private static double[][] loads(Candidates c, Forecast f) {
    int n = c.size();
    int horizons = f.horizons().length;
    double[][] loads = new double[FeatureSchema.LOADS.size()][];
    for (int h = 0; h < 5; h++) {
      loads[h] = f.before()[Math.min(h, horizons - 1)];
    }
    loads[5] = shares(c.cpuRequestedMilli(), c.cpuMilli());
    loads[6] = shares(c.memoryRequestedBytes(), c.memoryBytes());
    loads[7] = new double[n];
    for (int i = 0; i < n; i++) {
      loads[7][i] = (double) c.podCount()[i] / c.podLimit()[i];
    }
    loads[8] = f.ownerRequestFraction();
    return loads;
  }

  private static double[] shares(long[] part, long[] of) {
    double[] shares = new double[part.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = (double) part[i] / of[i];
    }
    return shares;
  }

  /** What the pod adds to each load of a candidate. */
  private void add(int i, double[] added) {
    int horizons = forecast.horizons().length;
    for (int h = 0; h < 5; h++) {
      int k = Math.min(h, horizons - 1);
      added[h] = 1000 * forecast.podCores()[k] * forecast.podSurvival()[k] / forecast.power()[i];
    }
    added[5] = (double) pod.cpuMilli() / candidates.cpuMilli()[i];
    added[6] = (double) pod.memoryBytes() / candidates.memoryBytes()[i];
    added[7] = 1.0 / candidates.podLimit()[i];
    added[8] = (double) pod.cpuMilli() / forecast.power()[i];
  }

  /** Numbers the labels of some candidates, equal ones alike, -1 where there is none. */
  private static void number(String[] labels, int[] chosen, int[] groups) {
    Map<String, Integer> ids = new HashMap<>();
    for (int k = 0; k < chosen.length; k++) {
      String label = labels[chosen[k]];
      groups[k] = label.isEmpty() ? -1 : ids.computeIfAbsent(label, x -> ids.size());
    }
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
