package dev.berth.policy.evidence;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * What a switchback experiment says of one measure, of which less is better, after any number of
 * pairs.
 *
 * @param a mean under A; NaN before the first pair
 * @param difference mean of B less A; NaN before it is known
 * @param lower end of its interval, valid at every look
 * @param upper the other end
 * @param pairs that count for the difference
 * @param needed pairs after which a difference of {@link #TO_SEE} of A's mean would be seen; NaN
 *     while unknown
 */
public record SwitchbackVerdict(
    double a, double difference, double lower, double upper, int pairs, double needed) {
  /** The share of A's mean that is worth seeing. */
  public static final double TO_SEE = 0.05;

  /**
   * Probability that any interval of an experiment ever misses the truth: each has a part of it.
   */
  public static final double ALPHA = 0.05;

  /** Of every measure, see {@link Switchback#verdicts}. */
  static List<SwitchbackVerdict> of(Switchback experiment) {
    int n = experiment.measures();
    return IntStream.range(0, n).mapToObj(i -> of(experiment, i, ALPHA / n)).toList();
  }

  private static SwitchbackVerdict of(Switchback experiment, int measure, double alpha) {
    PairedSequence d = experiment.difference(measure);
    double a = experiment.meanOfA(measure);
    return new SwitchbackVerdict(
        a, d.mean(), d.lower(alpha), d.upper(alpha), d.counted(), d.needed(TO_SEE * a, alpha));
  }

  /** B is worse. */
  public boolean harm() {
    return lower > 0;
  }

  /** B is better. */
  public boolean gain() {
    return upper < 0;
  }

  /**
   * Such as "A 0.0712; B -4.8 % against A (-9.0 % to -0.5 %), 38 pairs"; where A's mean is 0 there
   * is no share of it.
   */
  public String words() {
    if (Double.isNaN(a)) {
      return "nothing is measured yet";
    }
    String mean = String.format(Locale.ROOT, "A %.4f; ", a);
    if (Double.isNaN(difference)) {
      return mean
          + "B is not judged yet: the first "
          + PairedSequence.SCALE
          + " pairs that differ set the scale";
    }
    if (!(a > 0)) {
      return mean + String.format(Locale.ROOT, "B %+.4f against A, %d pairs", difference, pairs);
    }
    return mean
        + String.format(
            Locale.ROOT,
            "B %+.1f %% against A (%s to %s), %d pairs",
            100 * difference / a,
            percent(lower),
            percent(upper),
            pairs);
  }

  private String percent(double end) {
    return Double.isInfinite(end)
        ? "unbounded"
        : String.format(Locale.ROOT, "%+.1f %%", 100 * end / a);
  }
}
