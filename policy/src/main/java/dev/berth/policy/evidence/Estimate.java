package dev.berth.policy.evidence;

import java.util.Locale;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A mean gain and how sure it is.
 *
 * @param error standard error of the mean
 * @param freedom degrees of freedom of Student's t: the smaller number of clusters, less one
 * @param telling clusters in which anything was gained or lost
 */
public record Estimate(double gain, double error, long decisions, int freedom, int telling) {
  /** Before the first decision. */
  public static final Estimate NONE = new Estimate(0, 0, 0, -1, 0);

  /** Lower bound of the gain; it lies above it with probability {@code level} at most. */
  public double lower(double level) {
    return gain - margin(level);
  }

  /** Upper bound of the gain; it lies below it with probability {@code level} at most. */
  public double upper(double level) {
    return gain + margin(level);
  }

  /** Such as "gains 0.0004 (standard error 0.0008)". */
  public String words() {
    return String.format(
        Locale.ROOT,
        "%s %.4f (standard error %.4f)",
        gain < 0 ? "loses" : "gains",
        Math.abs(gain),
        error);
  }

  /**
   * Half the width of the two-sided interval of probability {@code 1 - 2 level}; infinite where so
   * few clusters can say nothing. However even they are, G of them that all point one way do so by
   * chance with probability {@code 2^-G} (the sign test): Student's t alone would believe two.
   */
  private double margin(double level) {
    if (freedom < 1 || Math.pow(0.5, telling) > level) {
      return telling == 0 && decisions > 0 && freedom >= 1 ? 0 : Double.POSITIVE_INFINITY;
    }
    return TDistribution.of(freedom).inverseSurvivalProbability(level) * error;
  }
}
