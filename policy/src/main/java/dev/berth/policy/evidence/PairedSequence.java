package dev.berth.policy.evidence;

/**
 * The mean of differences that come one after the other, with an interval that holds however often
 * one looks and whenever one stops.
 *
 * <p>For differences that are symmetric about their mean {@code m}, whatever their size and however
 * their spread changes, {@code exp(l S - l^2 V / 2)} is a supermartingale for every {@code l}, with
 * {@code S = sum (d - m)} and {@code V = sum (d - m)^2} (de la Pena 1999). Mixed over {@code l ~
 * N(0, 1 / r)} it is
 *
 * <pre>{@code
 * E(m) = sqrt(r / (V + r)) exp(S^2 / (2 (V + r)))
 * }</pre>
 *
 * and reaches {@code 1 / alpha} with probability alpha at most (Ville's inequality). The interval
 * spans every {@code m} for which it has not. If both arms are the same, a fair coin that names the
 * first of a pair makes differences symmetric about zero by itself: then nothing is assumed at all.
 * The scale {@code r} is {@value #SPREAD} times the mean of {@code (d - m)^2} over the first
 * {@value #SCALE} differences that are not zero; the sums begin after them, for it must not depend
 * on what it judges.
 *
 * <p>Thread rule: one thread.
 */
public final class PairedSequence {
  /** Differences other than zero that only set the scale. */
  public static final int SCALE = 3;

  /** At about eight times as many differences the interval is narrowest, for 95 %. */
  private static final int SPREAD = 4;

  private static final double MAX_PAIRS = 1e6;

  /** Distances from the mean, in root mean squares, between which the ends are looked for. */
  private static final double FAR = 1e6;

  private static final double FINER = 1.1;
  private static final int HALVINGS = 60;

  /** Number, sum and sum of squares of some differences. */
  private static final class Sums {
    int n;
    double sum;
    double squares;

    void add(double d) {
      n++;
      sum += d;
      squares += d * d;
    }

    /** Sum of {@code (d - m)^2}. */
    double about(double m) {
      return Math.max(0, squares - 2 * m * sum + n * m * m);
    }
  }

  private final Sums scale = new Sums();
  private final Sums counted = new Sums();
  private int scaled;

  /** Takes in a difference. */
  public void add(double difference) {
    if (!Double.isFinite(difference)) {
      throw new IllegalArgumentException("a difference is " + difference + ", not a number");
    }
    if (scaled < SCALE) {
      scaled += difference == 0 ? 0 : 1;
      scale.add(difference);
    } else {
      counted.add(difference);
    }
  }

  /** Differences that count. */
  public int counted() {
    return counted.n;
  }

  /** Mean of those that count; NaN before the first. */
  public double mean() {
    return counted.n == 0 ? Double.NaN : counted.sum / counted.n;
  }

  /** Whether the mean is not {@code m}, wrongly so with probability {@code alpha} at most. */
  public boolean excludes(double m, double alpha) {
    return logEvidence(m) >= Math.log(1 / alpha);
  }

  /** Lower end; the truth ever lies outside of both with probability {@code alpha} at most. */
  public double lower(double alpha) {
    return end(-1, alpha);
  }

  /** Upper end, see {@link #lower}. */
  public double upper(double alpha) {
    return end(1, alpha);
  }

  /** From far away towards the mean, to where the evidence ends. */
  private double end(int direction, double alpha) {
    if (counted.n == 0) {
      return direction * Double.POSITIVE_INFINITY;
    }
    double mean = mean();
    double squares = counted.about(mean) + scale.about(mean);
    double unit = squares > 0 ? Math.sqrt(squares / (counted.n + scale.n)) : Math.abs(mean);
    double outside = FAR * unit;
    if (!excludes(mean + direction * outside, alpha)) {
      return direction * Double.POSITIVE_INFINITY;
    }
    double inside = outside / FINER;
    while (inside > unit / FAR && excludes(mean + direction * inside, alpha)) {
      outside = inside;
      inside /= FINER;
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (inside + outside) / 2;
      if (excludes(mean + direction * middle, alpha)) {
        outside = middle;
      } else {
        inside = middle;
      }
    }
    return mean + direction * outside;
  }

  /**
   * Differences after which one of {@code halfWidth} would be told from none, if they go on to
   * scatter as they did; NaN while nothing is known of that, infinite if never.
   */
  public double needed(double halfWidth, double alpha) {
    if (counted.n < 2 || !(halfWidth > 0)) {
      return Double.NaN;
    }
    double variance = counted.about(mean()) / (counted.n - 1);
    double each = variance + halfWidth * halfWidth;
    double r = SPREAD * each;
    for (double n = 1; n < MAX_PAIRS; n *= 1.02) {
      double s = n * halfWidth;
      if (logEvidence(s, n * each, r) >= Math.log(1 / alpha)) {
        return scale.n + n;
      }
    }
    return Double.POSITIVE_INFINITY;
  }

  private double logEvidence(double m) {
    double r = SPREAD * scale.about(m) / Math.max(1, scale.n);
    return counted.n == 0 ? 0 : logEvidence(counted.sum - counted.n * m, counted.about(m), r);
  }

  private static double logEvidence(double s, double v, double r) {
    return s * s / (2 * (v + r)) - Math.log((v + r) / r) / 2;
  }
}
