package dev.berth.service.scoring;

import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.predict.Forecast;
import org.jspecify.annotations.Nullable;

/**
 * How a policy ranks the candidates of one decision.
 *
 * @param preferences higher is better, {@code [candidates]}
 * @param explanation the parts of a learned policy's preferences, null for others
 * @param forecast what the policy reckoned with, null for one that makes none
 */
record Ranking(
    double[] preferences,
    LearnedPolicy.@Nullable Explanation explanation,
    @Nullable Forecast forecast,
    Draw draw) {
  static final Ranking NONE = of(new double[0], null);

  /** Whether something else than the best comes first. */
  boolean explored() {
    return draw.first() >= 0;
  }

  /** Of a policy that neither learns nor explores. */
  static Ranking of(double[] preferences, @Nullable Forecast forecast) {
    return new Ranking(preferences, null, forecast, Draw.NONE);
  }
}
