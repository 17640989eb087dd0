package dev.berth.policy.agent;

import dev.berth.policy.network.Weights;
import dev.berth.policy.replay.Transition;
import java.util.List;

/**
 * Decides whether newer weights may serve: not without enough evidence, not when they lose reward
 * on held-out decisions, not when they have collapsed onto one choice or are not finite. A residual
 * must gain clearly: what serves without it is already good, and noise added to it costs.
 *
 * <p>The comparison is paired: the same decisions, the reward of the candidate each would choose.
 */
public final class PromotionGate {
  /** Fewer held-out decisions than this say nothing. */
  public static final int MIN_DECISIONS = 20;

  /** A model that gives the same value to all candidates this often has collapsed. */
  private static final double MAX_FLAT = 0.5;

  /** Standard errors that a residual must gain, unless told otherwise. */
  public static final double CLEARLY = 2;

  private final AgentConfig config;
  private final double leastGain;

  public PromotionGate(AgentConfig config) {
    this(config, config.correction().residual() ? CLEARLY : -1);
  }

  /**
   * @param leastGain standard errors that newer weights must gain, and more than nothing; -1 lets
   *     through what is not worse
   */
  public PromotionGate(AgentConfig config, double leastGain) {
    this.config = config;
    this.leastGain = leastGain;
  }

  /** Compares on held-out decisions. */
  public Verdict judge(Weights incumbent, Weights candidate, List<Transition> heldOut) {
    if (!candidate.finite()) {
      return Verdict.no("the weights are not finite");
    }
    if (heldOut.size() < MIN_DECISIONS) {
      return Verdict.no(heldOut.size() + " held-out decisions, need " + MIN_DECISIONS);
    }
    int n = 0;
    int flat = 0;
    double sum = 0;
    double squares = 0;
    for (Transition t : heldOut) {
      double[] now = preferences(incumbent, t);
      double[] next = preferences(candidate, t);
      flat += flat(next, t) ? 1 : 0;
      int a = best(now, t);
      int b = best(next, t);
      if (a < 0 || b < 0) {
        continue;
      }
      double gain = t.rewards()[b] - t.rewards()[a];
      n++;
      sum += gain;
      squares += gain * gain;
    }
    if (n < MIN_DECISIONS) {
      return Verdict.no(n + " held-out decisions with measured rewards, need " + MIN_DECISIONS);
    }
    if (flat > MAX_FLAT * heldOut.size()) {
      return Verdict.no("the weights no longer tell candidates apart");
    }
    double mean = sum / n;
    double error = Math.sqrt(Math.max(0, squares / n - mean * mean) / n);
    boolean promote = mean >= leastGain * error && (mean > 0 || leastGain < 0);
    return new Verdict(
        promote,
        String.format(
            "%s %.4f +- %.4f reward on %d held-out decisions%s",
            mean < 0 ? "loses" : "gains",
            Math.abs(mean),
            error,
            n,
            promote || mean < 0 ? "" : ", which is not clear"));
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
   */
  public record Verdict(boolean promote, String reason) {
    static Verdict no(String reason) {
      return new Verdict(false, reason);
    }
  }
}
