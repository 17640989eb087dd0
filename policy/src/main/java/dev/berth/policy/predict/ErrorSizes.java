package dev.berth.policy.predict;

import java.util.Arrays;

/**
 * How far forecasts were off: a histogram of the size of errors, in bins of 0.0025 of a node up to
 * one half; what is larger counts as one half.
 *
 * <p>Thread rule: one thread at a time.
 */
final class ErrorSizes {
  private static final double BIN = 0.0025;
  private static final int BINS = 200;

  private final double[] weights = new double[BINS + 1];

  /** As many errors as {@code count} of a normal variable around zero. */
  static ErrorSizes normal(double std, double count) {
    ErrorSizes sizes = new ErrorSizes();
    Arrays.setAll(
        sizes.weights, b -> 2 * count * (within((b + 1) * BIN / std) - within(b * BIN / std)));
    return sizes;
  }

  private static double within(double z) {
    return PlacementCost.normal(z);
  }

  void add(double error) {
    weights[(int) Math.min(BINS, Math.abs(error) / BIN)]++;
  }

  void addAll(ErrorSizes other) {
    Arrays.setAll(weights, b -> weights[b] + other.weights[b]);
  }

  /** Lets all so far count for this share, 0..1. */
  void fade(double share) {
    Arrays.setAll(weights, b -> share * weights[b]);
  }

  /** How many there are, those that have faded by what they still count. */
  double count() {
    return Arrays.stream(weights).sum();
  }

  /** Size that this share of the errors does not exceed, along a line within its bin. */
  double quantile(double share) {
    double rest = share * count();
    int bin = 0;
    while (bin < BINS && rest > weights[bin]) {
      rest -= weights[bin++];
    }
    return (bin + Math.min(1, rest / weights[bin])) * BIN;
  }
}
