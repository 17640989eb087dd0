package dev.berth.policy;

import java.util.Arrays;

/**
 * Maps a policy's preferences, on any finite scale, to the scheduler's integers 0..100.
 *
 * <p>Linear between the worst (0) and the best (100). Only candidates that tie for the best, as
 * {@link Ties} has it, get 100, so rounding neither hides the policy's choice nor makes one. All
 * equal means 50 for everyone. A preference that is not finite says nothing: it becomes the mean of
 * the others, so it neither attracts nor repels.
 */
public final class PreferenceScale {
  public static final int NEUTRAL = 50;

  private PreferenceScale() {}

  /** Writes one score per preference; returns how many preferences were not finite. */
  public static int scale(double[] preferences, int[] scores) {
    double min = Double.POSITIVE_INFINITY;
    double max = Double.NEGATIVE_INFINITY;
    int unknown = 0;
    for (double p : preferences) {
      if (Double.isFinite(p)) {
        min = Math.min(min, p);
        max = Math.max(max, p);
      } else {
        unknown++;
      }
    }
    double range = max - min;
    double threshold = Ties.threshold(max);
    if (!(min < threshold) || !Double.isFinite(range)) {
      Arrays.fill(scores, NEUTRAL);
      return unknown;
    }
    double factor = 100 / range;
    long sum = 0;
    for (int i = 0; i < scores.length; i++) {
      double p = preferences[i];
      if (Double.isFinite(p)) {
        scores[i] = p >= threshold ? 100 : Math.min(99, (int) Math.round((p - min) * factor));
        sum += scores[i];
      }
    }
    if (unknown > 0) {
      int mean = (int) Math.round((double) sum / (scores.length - unknown));
      for (int i = 0; i < scores.length; i++) {
        if (!Double.isFinite(preferences[i])) {
          scores[i] = mean;
        }
      }
    }
    return unknown;
  }

  /** Puts one candidate before all others. */
  public static void prefer(int first, int[] scores) {
    for (int i = 0; i < scores.length; i++) {
      scores[i] = i == first ? 100 : Math.min(99, scores[i]);
    }
  }
}
