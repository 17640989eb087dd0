package dev.berth.simulator.gpu;

import java.util.Arrays;

/** The few statistics of the tables. */
final class Statistics {
  /** Two-sided 95 % quantiles of Student's t for 1..30 degrees of freedom. */
  private static final double[] T95 = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042
  };

  private Statistics() {}

  static double mean(double[] values) {
    return Arrays.stream(values).average().orElse(Double.NaN);
  }

  static double standardDeviation(double[] values) {
    double mean = mean(values);
    double squares = Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
    return values.length < 2 ? Double.NaN : Math.sqrt(squares / (values.length - 1));
  }

  /** Half the width of the 95 % confidence interval of the mean. */
  static double confidenceHalfWidth95(double[] values) {
    if (values.length < 2) {
      return Double.NaN;
    }
    double t = values.length - 2 < T95.length ? T95[values.length - 2] : 1.96;
    return t * standardDeviation(values) / Math.sqrt(values.length);
  }
}
