package dev.berth.policy.agent;

import dev.berth.policy.evidence.ClusteredGain;
import dev.berth.policy.evidence.Estimate;
import dev.berth.policy.evidence.Looks;
import dev.berth.policy.network.Weights;
import dev.berth.policy.replay.Transition;
import java.util.List;

/**
 * Decides whether newer weights may serve: only when they gain clearly on held-out decisions, and
 * not when they have collapsed onto one choice or are not finite. What serves is good already, and
 * noise added to it costs: no gain is no promotion.
 *
 * <p>The comparison is paired: the same decisions, the measured reward of the candidate each would
 * choose. The bound is that of {@link ClusteredGain}, at the level of the look ({@link Looks}): the
 * gate is asked again and again, and of all looks until a promotion together at most {@link
 * #FALSE_PROMOTIONS} let something through that is no better.
 */
public final class PromotionGate {
  /** Fewer held-out decisions than this say nothing. */
  public static final int MIN_DECISIONS = 20;

  /** Probability that weights that are no better ever pass, over all looks. */
  public static final double FALSE_PROMOTIONS = 0.05;

  /** A model that gives the same value to all candidates this often has collapsed. */
  private static final double MAX_FLAT = 0.5;

  private final AgentConfig config;

  public PromotionGate(AgentConfig config) {
    this.config = config;
  }

  /** The looks that this gate is to be asked at. */
  public static Looks looks() {
    return new Looks(FALSE_PROMOTIONS, MIN_DECISIONS);
  }

  /**
   * Compares on held-out decisions.
   *
   * @param level of this look, see {@link Looks#take}
   */
  public Verdict judge(Weights incumbent, Weights candidate, List<HeldOut> heldOut, double level) {
    if (!candidate.finite()) {
      return Verdict.no("the weights are not finite");
    }
    ClusteredGain gains = new ClusteredGain();
    int flat = 0;
    for (HeldOut h : heldOut) {
      Transition t = h.transition();
      double[] next = preferences(candidate, t);
      flat += flat(next, t) ? 1 : 0;
      int a = best(preferences(incumbent, t), t);
      int b = best(next, t);
      if (a >= 0 && b >= 0) {
        gains.add(h.owner(), h.window(), t.rewards()[b] - t.rewards()[a]);
      }
    }
    Estimate estimate = gains.estimate();
    if (estimate.decisions() < MIN_DECISIONS) {
      return Verdict.no(
          estimate.decisions()
              + " held-out decisions with measured rewards, need "
              + MIN_DECISIONS);
    }
    if (flat > MAX_FLAT * heldOut.size()) {
      return new Verdict(false, "the weights no longer tell candidates apart", estimate);
    }
    double least = estimate.lower(level);
    boolean clear = least > 0;
    return new Verdict(
        clear,
        estimate.words()
            + " on "
            + estimate.decisions()
            + " held-out decisions"
            + (clear ? "" : notClear(least)),
        estimate);
  }

  private static String notClear(double least) {
    return Double.isInfinite(least)
        ? ", not clear: of too few owners or times to say how sure that is"
        : ", not clear: %.4f at the least, want above 0".formatted(least);
  }

  private double[] preferences(Weights w, Transition t) {
    float[] network = ValueDifference.of(config.kind(), w, t.after(), t.before());
    double[] p = new double[network.length];
    for (int i = 0; i < p.length; i++) {
      double q = network[i] / ValueDifference.SCALE;
      p[i] =
          config.correction().residual()
              ? t.base()[i] + Math.max(-t.clips()[i], Math.min(t.clips()[i], q))
              : q;
    }
    return p;
  }

  private static boolean flat(double[] preferences, Transition t) {
    double low = Double.POSITIVE_INFINITY;
    double high = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < preferences.length; i++) {
      if (t.after().valid()[i]) {
        low = Math.min(low, preferences[i]);
        high = Math.max(high, preferences[i]);
      }
    }
    return high - low < 1e-7;
  }

  /** The preferred candidate among those with a measured reward; -1 if there is none. */
  private static int best(double[] preferences, Transition t) {
    int best = -1;
    for (int i = 0; i < preferences.length; i++) {
      boolean measured = t.after().valid()[i] && !Float.isNaN(t.rewards()[i]);
      if (measured && (best < 0 || preferences[i] > preferences[best])) {
        best = i;
      }
    }
    return best;
  }

  /**
   * The gate's answer.
   *
   * @param reason one sentence for the log
   * @param estimate of the gain, {@link Estimate#NONE} where there is none
   */
  public record Verdict(boolean promote, String reason, Estimate estimate) {
    static Verdict no(String reason) {
      return new Verdict(false, reason, Estimate.NONE);
    }
  }
}
