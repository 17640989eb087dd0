package dev.berth.policy.predict;

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
   * @return the spread of {@code before}, the unit of the increase
   */
  public static double increase(
      double[] before, long[] power, double podCores, double error, double weight, double[] out) {
    int n = before.length;
    double mean = mean(before);
    double std = spread(before, mean);
    for (int i = 0; i < n; i++) {
      double d = 1000 * podCores / power[i];
      out[i] += weight * increase(before[i] - mean, before[i], d, n, std, error);
    }
    return std;
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
    double overload = overload(before + d, error) - overload(before, error);
    return spread(deviation, d, n, std) + OVERLOAD_WEIGHT * overload;
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
      double d = 1000 * podCores / power[i];
      out[i] = overload(before[i] + d, error) - overload(before[i], error);
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
   * @param ownerRequestFraction request fraction of the owner on each candidate, {@code
   *     [candidates]}
   * @param mean of these
   * @param podMilli the pod's request
   * @param variance of the owner's usage / request ratio
   */
  public static void hedge(
      double std,
      long[] power,
      double[] ownerRequestFraction,
      double mean,
      long podMilli,
      double variance,
      double weight,
      double[] out) {
    int n = ownerRequestFraction.length;
    for (int i = 0; i < n; i++) {
      double q = (double) podMilli / power[i];
      out[i] += hedge(ownerRequestFraction[i] - mean, q, n, weight * variance, std);
    }
  }

  static double hedge(double deviation, double q, int n, double weightedVariance, double std) {
    return weightedVariance * (2 * q * deviation + q * q * (1 - 1.0 / n)) / (2 * std);
  }

  static double mean(double[] values) {
    double mean = 0;
    for (double v : values) {
      mean += v / values.length;
    }
    return mean;
  }

  /** The cost itself: standard deviation + {@link #OVERLOAD_WEIGHT} x mean excess over 1. */
  public static double of(double[] usage) {
    double mean = mean(usage);
    double squares = 0;
    double excess = 0;
    for (double u : usage) {
      squares += (u - mean) * (u - mean) / usage.length;
      excess += Math.max(0, u - 1) / usage.length;
    }
    return Math.sqrt(squares) + OVERLOAD_WEIGHT * excess;
  }

  /** Standard deviation of usage over the nodes, the unit of the increase; never below noise. */
  public static double spread(double[] values) {
    return spread(values, mean(values));
  }

  private static double spread(double[] values, double mean) {
    double variance = 0;
    for (double v : values) {
      variance += (v - mean) * (v - mean) / values.length;
    }
    return Math.max(MIN_STD, Math.sqrt(variance));
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
