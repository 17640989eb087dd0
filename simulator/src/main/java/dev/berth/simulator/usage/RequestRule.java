package dev.berth.simulator.usage;

import java.util.Arrays;
import java.util.List;

/** What recorded pods ask for: the traces of machines say what was used, not what was requested. */
public enum RequestRule {
  /** The owner's mean usage, divided by a ratio that is drawn for every owner. */
  MEAN,
  /** The 90th percentile of all that pods of the owner used: replicas ask for the same. */
  P90_OWNER,
  /** The 90th percentile of what the pod itself used. */
  P90_POD;

  /**
   * What the pods of one owner ask for, in the unit of the values.
   *
   * @param pods usage of each by step, {@code [pods][steps]}
   * @param ratio mean usage / request that {@link #MEAN} aims at
   * @return {@code [pods]}
   */
  double[] requests(List<float[]> pods, double ratio) {
    double[] out = new double[pods.size()];
    switch (this) {
      case MEAN -> Arrays.fill(out, mean(pods) / ratio);
      case P90_OWNER -> Arrays.fill(out, p90(pods));
      case P90_POD -> Arrays.setAll(out, i -> p90(List.of(pods.get(i))));
    }
    return out;
  }

  private static double mean(List<float[]> all) {
    double sum = 0;
    long count = 0;
    for (float[] values : all) {
      for (float value : values) {
        sum += value;
      }
      count += values.length;
    }
    return sum / count;
  }

  /** Nearest rank. */
  private static double p90(List<float[]> all) {
    float[] values = new float[all.stream().mapToInt(v -> v.length).sum()];
    int at = 0;
    for (float[] v : all) {
      System.arraycopy(v, 0, values, at, v.length);
      at += v.length;
    }
    Arrays.sort(values);
    return values[(int) Math.ceil(0.9 * values.length) - 1];
  }
}
