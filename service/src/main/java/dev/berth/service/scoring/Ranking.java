package dev.berth.service.scoring;

import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.MemoryLimit;
import org.jspecify.annotations.Nullable;

/**
 * How a policy ranks the candidates of one decision.
 *
 * @param preferences higher is better, {@code [candidates]}
 * @param base what was preferred before anything was learned or limited, null for a policy that
 *     makes no forecast
 * @param explanation the parts of a learned policy's preferences, null for others
 * @param forecast what the policy reckoned with, null for one that makes none
 */
record Ranking(
    double[] preferences,
    double @Nullable [] base,
    LearnedPolicy.@Nullable Explanation explanation,
    @Nullable Forecast forecast,
    Draw draw) {
  static final Ranking NONE = of(new double[0]);

  /** What would have decided had nothing been learned. */
  double[] byBase() {
    return explanation == null
        ? preferences
        : MemoryLimit.kept(explanation.state().forecast().memoryRoom(), explanation.base());
  }

  /** Whether something else than the best comes first. */
  boolean explored() {
    return draw.first() >= 0;
  }

  /** Of a policy that neither forecasts nor learns. */
  static Ranking of(double[] preferences) {
    return new Ranking(preferences, null, null, null, Draw.NONE);
  }
}
