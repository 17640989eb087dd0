package dev.berth.service.task;

import java.util.random.RandomGenerator;

/**
 * Lets so many through a second in the mean, and more at once after a quiet time. It is full at the
 * start. When it is nearly empty it draws by lot who may take one: else of two who ask by turns one
 * would always come when there is none.
 *
 * <p>Thread rule: one thread.
 */
public final class TokenBucket {
  private static final int BURST_SECONDS = 60;

  private final double perSecond;
  private final double most;
  private final RandomGenerator random;
  private double tokens;
  private double filledAt = Double.NEGATIVE_INFINITY;

  /**
   * @param most that may be taken at once
   */
  public TokenBucket(double perSecond, double most, RandomGenerator random) {
    this.perSecond = perSecond;
    this.most = most;
    this.random = random;
    this.tokens = most;
  }

  /** One that holds a minute's worth: a burst of pods is taken whole. */
  public static TokenBucket ofAMinute(int perSecond, RandomGenerator random) {
    return new TokenBucket(perSecond, (double) BURST_SECONDS * perSecond, random);
  }

  /**
   * Takes one if there is one and the lot says so.
   *
   * @param now seconds; earlier than before adds nothing
   */
  public boolean take(double now) {
    if (now > filledAt) {
      tokens = Math.min(most, tokens + (now - filledAt) * perSecond);
      filledAt = now;
    }
    if (tokens < 1 || random.nextDouble() * (perSecond + 1) > tokens) {
      return false;
    }
    tokens--;
    return true;
  }

  /** Gives back one that was taken for nothing. */
  public void giveBack() {
    tokens = Math.min(most, tokens + 1);
  }
}
