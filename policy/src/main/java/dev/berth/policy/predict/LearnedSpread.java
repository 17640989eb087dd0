package dev.berth.policy.predict;

/**
 * The spread that a forecast states, learned from how far those before it were off: the standard
 * deviation whose 80 % interval would have held four fifths of the errors known by then. So the
 * interval is a quantile of past errors, as in conformal prediction (Vovk, Gammerman and Shafer,
 * 2005), faded so that it speaks of the present; what it holds of the outcomes to come is measured,
 * not assumed. Before the first outcome it is a normal prior, which fades as outcomes do.
 *
 * <p>Errors count relative to what was expected of their node: a busy one is off by more than an
 * idle one, and nodes fill up faster than old errors fade. On recorded usage that holds four fifths
 * nearer than one size for all nodes, with narrower intervals.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class LearnedSpread {
  /** Seconds after which an error counts half: bursts and calm change within the hour. */
  private static final double HALF_LIFE = 1800;

  /**
   * Errors that what was known before is worth at least, two minutes of ten nodes: the prior at a
   * start, what had been learned after a night without decisions.
   */
  private static final double LEAST_ERRORS = 20;

  /** The part of a node of which an error would be the same were the node idle. */
  private static final double IDLE = 0.1;

  /** Expected usage at which errors count as they are. */
  private static final double USUAL = 0.5;

  private final ErrorSizes sizes;
  private double time = Double.NaN;

  /**
   * @param prior standard deviation before anything is known of a node that is half used, as a
   *     fraction of the node
   */
  public LearnedSpread(double prior) {
    sizes = ErrorSizes.normal(prior, LEAST_ERRORS);
  }

  /**
   * Takes in one outcome less its forecast.
   *
   * @param expected the forecast, a fraction of the node
   */
  void add(double error, double expected, double now) {
    if (now > time) {
      double left = Math.pow(0.5, (now - time) / HALF_LIFE);
      sizes.fade(Math.max(left, Math.min(1, LEAST_ERRORS / sizes.count())));
    }
    time = Double.isNaN(time) ? now : Math.max(time, now);
    sizes.add(error / scale(expected));
  }

  /** What a forecast of so much usage, a fraction of the node, states if it is made now. */
  double spread(double expected) {
    return scale(expected) * sizes.quantile(0.8) / ForecastErrors.Z80;
  }

  private static double scale(double expected) {
    return (IDLE + expected) / (IDLE + USUAL);
  }
}
