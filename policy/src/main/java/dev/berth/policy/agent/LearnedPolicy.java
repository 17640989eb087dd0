package dev.berth.policy.agent;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.Ties;
import dev.berth.policy.network.Weights;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.MemoryLimit;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.policy.predict.PredictThenGreedy;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * An agent's policy with fixed weights: alone, or as a bounded correction of the base,
 *
 * <pre>preference = base + clip(Q, +- c)</pre>
 *
 * Thread rule: immutable; safe to share. Swap the whole object to serve newer weights.
 */
public final class LearnedPolicy implements Policy {
  private final AgentConfig config;
  private final Weights weights;
  private final PredictThenGreedy predictor;

  public LearnedPolicy(AgentConfig config, Weights weights) {
    this.config = config;
    this.weights = weights;
    this.predictor = PredictThenGreedy.best();
  }

  /** Names what a residual is added to; changes whenever the base's preferences change. */
  public static String baseId(AgentConfig config) {
    return config.correction().residual()
        ? PredictThenGreedy.best().name()
            + "/4/"
            + config.task().objective().name().toLowerCase(Locale.ROOT)
        : "none";
  }

  @Override
  public String name() {
    return config.kind().id();
  }

  public AgentConfig config() {
    return config;
  }

  public Weights weights() {
    return weights;
  }

  @Override
  public void score(Decision d, double[] preferences) {
    double[] found = explain(d).preferences();
    System.arraycopy(found, 0, preferences, 0, found.length);
  }

  /** Base and correction of every candidate, and the state they rest on. */
  public Explanation explain(Decision d) {
    return explain(d, Double.POSITIVE_INFINITY);
  }

  /**
   * The same with a correction of at most {@code clip}, in node usage, where its own is larger.
   * What is learned from it keeps its own.
   */
  public Explanation explain(Decision d, double clip) {
    DecisionState state = DecisionState.of(this, d);
    double[] q =
        weights.silent()
            ? new double[state.base().length]
            : ValueDifference.of(config.kind(), weights, state.rows().all());
    if (config.correction().residual()) {
      clip(q, state.clips(), share(clip));
    }
    return new Explanation(this, state, q);
  }

  /**
   * What decides: as {@link #explain(Decision, double)}, but only candidates that some correction
   * could put first are corrected, for the network is what costs. Who comes first is the same.
   */
  public Explanation decide(Decision d, double clip) {
    if (weights.silent() || !config.correction().residual() || config.kind().messagePassing()) {
      return explain(d, clip);
    }
    DecisionState state = DecisionState.of(this, d);
    double[] base = MemoryLimit.kept(state.forecast().memoryRoom(), state.base());
    int[] contenders = contenders(base, state.clips(), share(clip));
    double[] q = ValueDifference.of(config.kind(), weights, state.rows().of(contenders));
    double[] correction = new double[state.base().length];
    for (int i = 0; i < q.length; i++) {
      correction[contenders[i]] = q[i];
    }
    clip(correction, state.clips(), share(clip));
    return new Explanation(this, state, correction);
  }

  /** Candidates that come first, or tie for it, under some corrections within their clips. */
  static int[] contenders(double[] base, double[] clips, double share) {
    double least = Double.NEGATIVE_INFINITY; // that the first will have
    for (int i = 0; i < base.length; i++) {
      least = Math.max(least, base[i] - share * clips[i]);
    }
    double threshold = Ties.threshold(least);
    return IntStream.range(0, base.length)
        .filter(i -> base[i] + share * clips[i] >= threshold)
        .toArray();
  }

  /** Part of its own clip that a clip from outside leaves. */
  private double share(double clip) {
    double own = config.correction().clip();
    return clip < own ? clip / own : 1;
  }

  private static void clip(double[] q, double[] clips, double share) {
    for (int i = 0; i < q.length; i++) {
      double most = share * clips[i];
      q[i] = Math.max(-most, Math.min(most, q[i]));
    }
  }

  /** Preferences of the base under this agent's objective. */
  void base(Decision d, Forecast forecast, double[] out) {
    if (config.task().objective() == Objective.USAGE) {
      PredictThenGreedy.base(d, forecast, out);
    } else {
      PlacementCost.increase(
          config.task().objective().load(d, forecast),
          config.task().objective().power(d, forecast),
          config.task().objective().podCores(d, forecast),
          PlacementCost.FORECAST_ERROR,
          -1,
          out);
    }
  }

  PredictThenGreedy predictor() {
    return predictor;
  }

  /**
   * Why the candidates rank as they do.
   *
   * @param policy that says so
   * @param correction what the network added, already clipped, {@code [candidates]}; 0 where it was
   *     not asked, see {@link #decide}
   */
  public record Explanation(LearnedPolicy policy, DecisionState state, double[] correction) {

    /** Preference of the base, {@code [candidates]}; zero for an agent alone. */
    public double[] base() {
      return state.base();
    }

    /** What decides: both together, within the {@link MemoryLimit}, {@code [candidates]}. */
    public double[] preferences() {
      double[] sum = new double[correction.length];
      Arrays.setAll(sum, i -> base()[i] + correction[i]);
      MemoryLimit.keep(state.forecast().memoryRoom(), sum);
      return sum;
    }
  }
}
