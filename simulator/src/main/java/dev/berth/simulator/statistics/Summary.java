package dev.berth.simulator.statistics;

import java.util.Arrays;
import java.util.Locale;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Mean, sample standard deviation, and half-width of the mean's two-sided 95 % confidence interval
 * (Student's t).
 *
 * @param standardDeviation NaN for a single value
 * @param halfWidth NaN for a single value
 */
public record Summary(int n, double mean, double standardDeviation, double halfWidth) {
  private static final double BEYOND_ONE_END = 0.025;

  /**
   * @throws IllegalArgumentException when there is no value
   */
  public static Summary of(double[] values) {
    int n = values.length;
    double mean =
        Arrays.stream(values)
            .average()
            .orElseThrow(() -> new IllegalArgumentException("a mean needs at least one value"));
    if (n == 1) {
      return new Summary(1, mean, Double.NaN, Double.NaN);
    }
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    double deviation = Math.sqrt(squares / (n - 1));
    double t = TDistribution.of(n - 1).inverseSurvivalProbability(BEYOND_ONE_END);
    return new Summary(n, mean, deviation, t * deviation / Math.sqrt(n));
  }

  /** The mean of {@code a - b}, run by run: entry i of both comes from the same seed. */
  public static Summary paired(double[] a, double[] b) {
    double[] difference = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      difference[i] = a[i] - b[i];
    }
    return of(difference);
  }

  /** Whether the whole interval lies below zero. */
  public boolean clearlyBelowZero() {
    return mean + halfWidth < 0;
  }

  /** Whether the whole interval lies above zero. */
  public boolean clearlyAboveZero() {
    return mean - halfWidth > 0;
  }

  /** As a difference, such as "+1.20 ±0.30"; a single value has no interval. */
  public String signed() {
    String signed = String.format(Locale.ROOT, "%+.2f", mean);
    return n == 1 ? signed : signed + String.format(Locale.ROOT, " ±%.2f", halfWidth);
  }
}
