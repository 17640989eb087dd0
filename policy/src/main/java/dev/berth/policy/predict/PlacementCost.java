package dev.berth.policy.predict;

import java.util.function.DoubleUnaryOperator;

/**
 * What a placement adds to the cost that Berth is judged by: the standard deviation of node usage
 * over the nodes + 10 x mean overload.
 *
 * <p>With u the usage fractions before, d the fraction the pod adds to node i and n nodes, the sum
 * of squared deviations grows by {@code 2 d (u_i - mean) + d^2 (1 - 1/n)}; the standard deviation
 * by that over {@code 2 n std}. Overload is expected under a normal error of the forecast. All
 * times n, so that the increase does not shrink with the cluster.
 */
public final class PlacementCost {
  public static final double OVERLOAD_WEIGHT = 10;

  /** Standard deviation of a forecast, as a fraction of the node. */
  public static final double FORECAST_ERROR = 0.05;

  /** A spread below this is noise: the rule must not become infinitely picky on even clusters. */
  private static final double MIN_STD = 0.02;

  /** Of standard deviations, below -5: most candidates are spared a division so. */
  private static final double FAR = -5.01;

  private PlacementCost() {}

  /**
   * Adds the weighted increase for every candidate to {@code out}, {@code [candidates]}.
   *
   * @param before usage fraction without the pod, {@code [candidates]}
   * @param power capacity of the candidates in the cores that the pod is measured in, milli
   * @param podCores expected CPU of the pod
   * @param error standard deviation of the forecast, as a fraction of the node
   */
  public static void increase(
      double[] before, long[] power, double podCores, double error, double weight, double[] out) {
    increase(before, shares(power), podCores, error, weight, out);
  }

  /**
   * The same.
   *
   * @param shares of {@link #shares}
   * @return the spread of {@code before}, the unit of the increase
   */
  static double increase(
      double[] before,
      double[] shares,
      double podCores,
      double error,
      double weight,
      double[] out) {
    double mean = mean(before);
    double std = spread(before, mean);
    double podMilli = 1000 * podCores;
    addSquares(before, mean, shares, podMilli, weight / (2 * std), out);
    for (int i = 0; i < before.length; i++) {
      out[i] += weight * OVERLOAD_WEIGHT * overload(before[i], podMilli * shares[i], error);
    }
    return std;
  }

  /** What a milli-core is of each node, {@code [candidates]}. */
  static double[] shares(long[] power) {
    double[] shares = new double[power.length];
    for (int i = 0; i < shares.length; i++) {
      shares[i] = 1.0 / power[i];
    }
    return shares;
  }

  /**
   * Adds the weighted growth of the sum of squared deviations. Neither a division nor a branch: the
   * JVM does four candidates at a time.
   */
  private static void addSquares(
      double[] values, double mean, double[] shares, double milli, double weight, double[] out) {
    double rest = 1 - 1.0 / values.length;
    for (int i = 0; i < values.length; i++) {
      double d = milli * shares[i];
      out[i] += weight * d * (2 * (values[i] - mean) + d * rest);
    }
  }

  /**
   * The increase of one candidate.
   *
   * @param deviation of its usage from the mean over the candidates
   * @param before its usage without the pod, fraction
   * @param d what the pod adds to it, fraction
   * @param n candidates
   * @param std spread over them
   * @param error as above
   */
  public static double increase(
      double deviation, double before, double d, int n, double std, double error) {
    return spread(deviation, d, n, std) + OVERLOAD_WEIGHT * overload(before, d, error);
  }

  static double spread(double deviation, double d, int n, double std) {
    return (2 * d * deviation + d * d * (1 - 1.0 / n)) / (2 * std);
  }

  /**
   * How much more than the first a second alike pod on the same candidate adds: with one there, the
   * candidate's deviation is greater by {@code d (1 - 1/n)}.
   *
   * @param qVariance {@code v q^2} of {@link #hedge}
   */
  static double repeated(
      double before, double d, double qVariance, int n, double std, double error) {
    double overload =
        overload(before + 2 * d, error) - 2 * overload(before + d, error) + overload(before, error);
    // Convex but for the approximation of the normal distribution, which may fall below by a hair.
    return (d * d + qVariance) * (1 - 1.0 / n) / std + OVERLOAD_WEIGHT * Math.max(0, overload);
  }

  /** The part of {@link #increase} that is spread, {@code [candidates]}. */
  public static double[] balance(double[] before, long[] power, double podCores) {
    double[] out = new double[before.length];
    double mean = mean(before);
    double std = spread(before, mean);
    for (int i = 0; i < out.length; i++) {
      out[i] = spread(before[i] - mean, 1000 * podCores / power[i], out.length, std);
    }
    return out;
  }

  /** The part of {@link #increase} that is overload, not yet weighted, {@code [candidates]}. */
  public static double[] overload(double[] before, long[] power, double podCores, double error) {
    double[] out = new double[before.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = overload(before[i], 1000 * podCores / power[i], error);
    }
    return out;
  }

  /**
   * Adds the part of the increase that comes of not knowing an owner: its pods rise and fall
   * together, so a ratio of variance v moves a node by v times the square of what the owner has
   * there. With a_i the owner's request fraction on node i, the expected sum of squared deviations
   * grows by {@code v (2 q (a_i - mean) + q^2 (1 - 1/n))} for a pod that asks for a fraction q.
   *
   * @param std what {@link #increase} returned for this forecast
   * @param shares of {@link #shares}
   * @param ownerRequestFraction request fraction of the owner on each candidate, {@code
   *     [candidates]}
   * @param mean of these
   * @param podMilli the pod's request
   * @param variance of the owner's usage / request ratio
   */
  static void hedge(
      double std,
      double[] shares,
      double[] ownerRequestFraction,
      double mean,
      long podMilli,
      double variance,
      double weight,
      double[] out) {
    addSquares(ownerRequestFraction, mean, shares, podMilli, weight * variance / (2 * std), out);
  }

  static double hedge(double deviation, double q, int n, double weightedVariance, double std) {
    return weightedVariance * (2 * q * deviation + q * q * (1 - 1.0 / n)) / (2 * std);
  }

  static double mean(double[] values) {
    return sum(values, v -> v) / values.length;
  }

  /** The cost itself: standard deviation + {@link #OVERLOAD_WEIGHT} x mean excess over 1. */
  public static double of(double[] usage) {
    double mean = mean(usage);
    double excess = 0;
    for (double u : usage) {
      excess += Math.max(0, u - 1);
    }
    return Math.sqrt(squares(usage, mean) / usage.length) + OVERLOAD_WEIGHT * excess / usage.length;
  }

  /** Standard deviation of usage over the nodes, the unit of the increase; never below noise. */
  public static double spread(double[] values) {
    return spread(values, mean(values));
  }

  private static double spread(double[] values, double mean) {
    return Math.max(MIN_STD, Math.sqrt(squares(values, mean) / values.length));
  }

  private static double squares(double[] values, double mean) {
    return sum(values, v -> square(v - mean));
  }

  /** Four sums side by side, for an addition waits for the one before it. */
  private static double sum(double[] values, DoubleUnaryOperator term) {
    double a = 0;
    double b = 0;
    double c = 0;
    double d = 0;
    int i = 0;
    for (; i + 3 < values.length; i += 4) {
      a += term.applyAsDouble(values[i]);
      b += term.applyAsDouble(values[i + 1]);
      c += term.applyAsDouble(values[i + 2]);
      d += term.applyAsDouble(values[i + 3]);
    }
    for (; i < values.length; i++) {
      a += term.applyAsDouble(values[i]);
    }
    return a + b + c + d;
  }

  private static double square(double x) {
    return x * x;
  }

  /**
   * What a pod adds to the {@link #overload(double, double) overload} of a node.
   *
   * @param d what it adds to the usage, not negative
   */
  static double overload(double before, double d, double error) {
    double with = overload(before + d, error);
    return with == 0 ? 0 : with - overload(before, error);
  }

  /**
   * Expected excess over 1 of a normal variable: {@code s (phi(z) + z Phi(z)), z = (u - 1) / s}.
   */
  static double overload(double u, double s) {
    if (u - 1 < FAR * s) {
      return 0;
    }
    double z = (u - 1) / s;
    if (z < -5) {
      return 0;
    }
    if (z > 5) {
      return u - 1;
    }
    double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    return s * (density + z * normal(z));
  }

  /** Normal distribution function; logistic approximation, error below 2e-4 (Page, 1977). */
  static double normal(double z) {
    return 1 / (1 + Math.exp(-(1.5976 * z + 0.07056 * z * z * z)));
  }
}
