package dev.berth.policy.features;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.network.Rows;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.state.NodeColumns;
import dev.berth.policy.state.SampleState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The rows of a decision: what every candidate looks like before, and would look like after.
 *
 * @param before {@code [candidates * features]}, the schema's {@link FeatureSchema#SIZE} and any
 *     added
 * @param after the same, with the pod placed on that candidate
 * @param groups rack, zone and owner group of each candidate as numbers within the decision, -1 for
 *     none, {@code [Rows.NAMED][candidates]}
 */
public record FeatureRows(float[] before, float[] after, int[][] groups) {
  private static final double AGE_SCALE = 300;
  private static final double LOAD_SCALE = 4;
  private static final double ERROR_SCALE = 10;

  /** Extracts the rows; cost grows linearly with the candidates. */
  public static FeatureRows of(Decision d, Forecast forecast) {
    Candidates c = d.candidates();
    int n = c.size();
    int loads = FeatureSchema.LOADS.size();
    double[][] before = loads(d, forecast);
    double[][] added = added(d, forecast);
    double[] mean = new double[loads];
    for (int k = 0; k < loads; k++) {
      mean[k] = mean(before[k]);
    }
    double std = std(before[0], mean[0]);
    double capacity = 0;
    for (long milli : c.cpuMilli()) {
      capacity += (double) milli / n;
    }
    NodeColumns columns = d.state().columns(c, d.now());
    float[] rows = new float[n * FeatureSchema.SIZE];
    float[] after = new float[n * FeatureSchema.SIZE];
    int last = forecast.horizons().length - 1;
    double ownerStd = Math.sqrt(forecast.ratioVariance()[last]);
    double survival = forecast.podSurvival()[last];
    for (int i = 0; i < n; i++) {
      int at = i * FeatureSchema.SIZE;
      for (int k = 0; k < loads; k++) {
        double deviation = before[k][i] - mean[k];
        rows[at] = (float) before[k][i];
        after[at++] = (float) (before[k][i] + added[k][i]);
        rows[at] = (float) (LOAD_SCALE * deviation);
        // The mean moves with the placement too; what stays is the part the other nodes do not
        // share.
        after[at++] = (float) (LOAD_SCALE * (deviation + added[k][i] * (1 - 1.0 / n)));
      }
      int start = at;
      double share = 1000 / (double) c.cpuMilli()[i];
      boolean absent = columns.state()[i] == SampleState.ABSENT;
      rows[at++] = absent ? (float) before[0][i] : (float) (columns.meanCpu()[i] * share);
      rows[at++] = absent ? 0 : (float) (10 * columns.trendCpu()[i] * share);
      rows[at++] = absent ? 1 : (float) Math.min(1, columns.sampleAge()[i] / AGE_SCALE);
      rows[at++] = columns.state()[i] == SampleState.STALE ? 1 : 0;
      rows[at++] = absent ? 1 : 0;
      rows[at++] = (float) (c.cpuMilli()[i] / capacity - 1);
      rows[at++] = (float) (columns.slowness()[i] - 1);
      rows[at++] = (float) (ERROR_SCALE * columns.meanError()[i]);
      rows[at++] = (float) mean[0];
      rows[at++] = (float) (LOAD_SCALE * std);
      rows[at++] = (float) (10 * added[0][i]);
      rows[at++] = (float) survival;
      rows[at] = (float) ownerStd;
      System.arraycopy(rows, start, after, start, at + 1 - start);
    }
    int[][] groups = {groups(c.racks()), groups(c.zones()), owners(forecast)};
    return new FeatureRows(rows, after, groups);
  }

  private static double[][] loads(Decision d, Forecast f) {
    Candidates c = d.candidates();
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

  private static double[][] added(Decision d, Forecast f) {
    Candidates c = d.candidates();
    int n = c.size();
    int horizons = f.horizons().length;
    double[][] added = new double[FeatureSchema.LOADS.size()][n];
    for (int i = 0; i < n; i++) {
      for (int h = 0; h < 5; h++) {
        int k = Math.min(h, horizons - 1);
        added[h][i] = 1000 * f.podCores()[k] * f.podSurvival()[k] / f.power()[i];
      }
      added[5][i] = (double) d.pod().cpuMilli() / c.cpuMilli()[i];
      added[6][i] = (double) d.pod().memoryBytes() / c.memoryBytes()[i];
      added[7][i] = 1.0 / c.podLimit()[i];
      added[8][i] = (double) d.pod().cpuMilli() / f.power()[i];
    }
    return added;
  }

  /** The same rows as if each candidate were alone: nothing of how it compares with the others. */
  public FeatureRows withoutContext() {
    return new FeatureRows(alone(before), alone(after), groups);
  }

  private static float[] alone(float[] rows) {
    float[] out = rows.clone();
    for (int at = 0; at < out.length; at += FeatureSchema.SIZE) {
      for (int k : FeatureSchema.COMPARISONS) {
        out[at + k] = 0;
      }
    }
    return out;
  }

  /**
   * The same rows with a column more.
   *
   * @param columnBefore {@code [candidates]}
   * @param columnAfter the same with the pod placed there
   */
  public FeatureRows with(double[] columnBefore, double[] columnAfter) {
    return new FeatureRows(widened(before, columnBefore), widened(after, columnAfter), groups);
  }

  private float[] widened(float[] rows, double[] column) {
    int size = size();
    float[] out = new float[rows.length + column.length];
    for (int i = 0; i < column.length; i++) {
      System.arraycopy(rows, i * size, out, i * (size + 1), size);
      out[i * (size + 1) + size] = (float) column[i];
    }
    return out;
  }

  /**
   * The same rows as if all candidates had the mean of some columns; what the pod adds to them
   * stays.
   */
  public FeatureRows levelled(int[] columns) {
    int size = size();
    float[] levelBefore = before.clone();
    float[] levelAfter = after.clone();
    for (int k : columns) {
      double mean = 0;
      for (int at = k; at < before.length; at += size) {
        mean += before[at] / (double) candidates();
      }
      for (int at = k; at < before.length; at += size) {
        levelBefore[at] = (float) mean;
        levelAfter[at] = (float) (mean + after[at] - before[at]);
      }
    }
    return new FeatureRows(levelBefore, levelAfter, groups);
  }

  /** How many there are. */
  public int candidates() {
    return groups[0].length;
  }

  /** Features of a row: the schema's and those that were added. */
  private int size() {
    return candidates() == 0 ? FeatureSchema.SIZE : before.length / candidates();
  }

  /** The rows of some candidates, in the order given; what compares them stays as it was. */
  public FeatureRows of(int[] kept) {
    int size = size();
    float[] someBefore = new float[kept.length * size];
    float[] someAfter = new float[kept.length * size];
    int[][] someGroups = Rows.noGroups(kept.length);
    for (int i = 0; i < kept.length; i++) {
      System.arraycopy(before, kept[i] * size, someBefore, i * size, size);
      System.arraycopy(after, kept[i] * size, someAfter, i * size, size);
      for (int g = 0; g < Rows.NAMED; g++) {
        someGroups[g][i] = groups[g][kept[i]];
      }
    }
    return new FeatureRows(someBefore, someAfter, someGroups);
  }

  /** The rows of some candidates as one decision, padded to a width; {@code -1} is padding. */
  public Rows select(float[] features, int[] chosen) {
    int size = size();
    float[] picked = new float[chosen.length * size];
    boolean[] valid = new boolean[chosen.length];
    int[][] group = Rows.noGroups(chosen.length);
    for (int i = 0; i < chosen.length; i++) {
      if (chosen[i] >= 0) {
        System.arraycopy(features, chosen[i] * size, picked, i * size, size);
        valid[i] = true;
        for (int g = 0; g < Rows.NAMED; g++) {
          group[g][i] = groups[g][chosen[i]];
        }
      }
    }
    return new Rows(1, chosen.length, picked, valid, group);
  }

  /** All candidates as one decision. */
  public Rows all(float[] features) {
    int n = candidates();
    boolean[] valid = new boolean[n];
    Arrays.fill(valid, true);
    return new Rows(1, n, features, valid, groups);
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
