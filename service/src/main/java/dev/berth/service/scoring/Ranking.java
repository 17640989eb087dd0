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
 * @param first candidate to put first when {@code explored}
 * @param propensity probability that this candidate came first
 */
record Ranking(
    double[] preferences,
    LearnedPolicy.@Nullable Explanation explanation,
    @Nullable Forecast forecast,
    int first,
    double propensity,
    boolean explored) {
  static final Ranking NONE = of(new double[0], null);

  /** Of a policy that neither learns nor explores. */
  static Ranking of(double[] preferences, @Nullable Forecast forecast) {
    return new Ranking(preferences, null, forecast, -1, 1, false);
  }
}
