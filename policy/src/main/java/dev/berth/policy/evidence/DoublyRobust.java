package dev.berth.policy.evidence;

import java.util.Optional;

/**
 * What one policy gains over another by what came of decisions that neither made, but that were
 * drawn by known chances: the doubly robust estimate.
 *
 * <p>Something was taken with probability {@code p} and earned {@code r}. A policy that would have
 * taken the same with probability {@code e} is worth
 *
 * <pre>{@code q(policy) + e / p (r - q(taken))}</pre>
 *
 * with {@code q} what a model expects to be earned. The mean is without bias when the probabilities
 * are right, whatever the model says, and when the model is right, whatever the probabilities
 * (Dudik, Langford and Li, "Doubly Robust Policy Evaluation and Learning", 2011). What could not
 * have been drawn must be left out: of that only the model speaks.
 *
 * <p>However many decisions there are, a few large weights {@code w = e / p} may carry it all: the
 * effective sample is {@code (sum w)^2 / sum w^2} (Kish 1965), the number of decisions when the
 * policy is the one that drew them. Below {@value #MIN_EFFECTIVE} there is no estimate.
 *
 * <p>Thread rule: one thread.
 */
public final class DoublyRobust {
  /** A mean of fewer, some of them heavier than others, tells nothing. */
  public static final int MIN_EFFECTIVE = 20;

  private final ClusteredGain gains = new ClusteredGain();
  private double weights;
  private double squares;

  /**
   * What was done.
   *
   * @param probability with which it was drawn, above 0
   * @param earned by it
   * @param expected by the model for it
   */
  public record Taken(double probability, double earned, double expected) {
    public Taken {
      if (!(probability > 0 && probability <= 1)) {
        throw new IllegalArgumentException(
            "what was taken was drawn with probability " + probability + ", not 0..1");
      }
    }
  }

  /**
   * What a policy would have done.
   *
   * @param probability with which it would have taken the same
   * @param expected by the model of what it would have taken, the mean if that is drawn
   */
  public record Wanted(double probability, double expected) {}

  /**
   * Adds a decision.
   *
   * @param owner hash of the owner, see {@link Owners}
   * @param window number of the time window; those of one follow each other
   * @param other the policy whose gain is asked for
   * @param over what it is held against
   */
  public void add(int owner, long window, Taken taken, Wanted other, Wanted over) {
    gains.add(owner, window, value(taken, other) - value(taken, over));
    double weight = other.probability() / taken.probability();
    weights += weight;
    squares += weight * weight;
  }

  private static double value(Taken taken, Wanted by) {
    double missed = taken.earned() - taken.expected();
    return by.expected() + by.probability() / taken.probability() * missed;
  }

  /** Decisions that the estimate is as good as, had the policy made them itself. */
  public double effective() {
    return squares == 0 ? 0 : weights * weights / squares;
  }

  /** The mean gain a decision; empty when {@link #effective} is too small to tell. */
  public Optional<Estimate> estimate() {
    return effective() < MIN_EFFECTIVE ? Optional.empty() : Optional.of(gains.estimate());
  }
}
