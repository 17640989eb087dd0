package dev.berth.service.task;

/**
 * Lets so many through a second in the mean, and more at once after a quiet time. It is full at the
 * start.
 *
 * <p>Thread rule: one thread.
 */
public final class TokenBucket {
  private final double perSecond;
  private final double most;
  private double tokens;
  private double filledAt = Double.NaN;

  /**
   * @param most that may be taken at once
   */
  public TokenBucket(double perSecond, double most) {
    this.perSecond = perSecond;
    this.most = most;
    this.tokens = most;
  }

  /**
   * Takes one if there is one.
   *
   * @param now seconds; when the clock steps back nothing is added
   */
  public boolean take(double now) {
    if (now > filledAt) {
      tokens = Math.min(most, tokens + (now - filledAt) * perSecond);
    }
    filledAt = now;
    if (tokens < 1) {
      return false;
    }
    tokens--;
    return true;
  }
}
