package dev.berth.policy.features;

import dev.berth.policy.network.Rows;
import java.util.Arrays;

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
}
