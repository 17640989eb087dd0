package dev.berth.policy.predict;

/**
 * The spread that a forecast states, learned from how far those before it were off: the standard
 * deviation whose 80 % interval would have held four fifths of the errors known by then. So the
 * interval is a quantile of past errors, as in conformal prediction (Vovk, Gammerman and Shafer,
 * 2005), faded so that it speaks of the present; what it holds of the outcomes to come is measured,
 * not assumed. Before the first outcome it is a normal prior, which fades as outcomes do.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class LearnedSpread {
  /** Seconds after which an error counts half. */
  private static final double HALF_LIFE = 2 * 3600;

  /** Errors that the prior is worth: ten minutes of ten nodes. */
  private static final double PRIOR_ERRORS = 100;

  private final ErrorSizes sizes;
  private double time = Double.NaN;

  /**
   * @param prior standard deviation before anything is known, as a fraction of the node
   */
  public LearnedSpread(double prior) {
    sizes = ErrorSizes.normal(prior, PRIOR_ERRORS);
  }

  /** Takes in one outcome less its forecast. */
  void add(double error, double now) {
    if (now > time) {
      sizes.fade(Math.pow(0.5, (now - time) / HALF_LIFE));
    }
    time = Double.isNaN(time) ? now : Math.max(time, now);
    sizes.add(error);
  }

  /** What a forecast made now states. */
  public double spread() {
    return sizes.quantile(0.8) / ForecastErrors.Z80;
  }
}
