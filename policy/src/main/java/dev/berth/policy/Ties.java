package dev.berth.policy;

/**
 * Which preferences are ties. Equal nodes rarely get equal ones: sums over their pods are rounded
 * in different orders. What is closer than a billionth is rounding, and says nothing.
 */
public final class Ties {
  /** Relative, of preferences that are large; absolute near zero. */
  private static final double CLOSE = 1e-9;

  private Ties() {}

  /** What a preference must reach to tie with the best. */
  public static double threshold(double best) {
    return best - CLOSE * Math.max(1, Math.abs(best));
  }
}
