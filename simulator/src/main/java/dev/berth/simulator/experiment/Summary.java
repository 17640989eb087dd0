package dev.berth.simulator.experiment;

/**
 * Mean and half-width of its two-sided 95 % confidence interval (Student's t).
 *
 * @param halfWidth NaN for a single value
 */
public record Summary(int n, double mean, double halfWidth) {
  /** 97.5 % quantiles of Student's t for 1..30 degrees of freedom. */
  private static final double[] T = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
    2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042
  };

  public static Summary of(double[] values) {
    int n = values.length;
    if (n == 0) {
      throw new IllegalArgumentException("a mean needs at least one value");
    }
    double mean = 0;
    for (double v : values) {
      mean += v / n;
    }
    double squares = 0;
    for (double v : values) {
      squares += (v - mean) * (v - mean);
    }
    double half = n < 2 ? Double.NaN : quantile(n - 1) * Math.sqrt(squares / (n - 1) / n);
    return new Summary(n, mean, half);
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

  private static double quantile(int degrees) {
    // Beyond the table, the first terms of the expansion are exact to three digits.
    return degrees <= T.length ? T[degrees - 1] : 1.96 + 2.37 / degrees + 2.8 / (degrees * degrees);
  }
}
