package dev.berth.service.scoring;

import dev.berth.policy.Decision;
import dev.berth.policy.agent.Exploration;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.MemoryLimit;
import dev.berth.policy.predict.PredictThenGreedy;
import java.util.SplittableRandom;

/**
 * Asks the policy, keeps the parts of its answer for the explanation, and lets a learned policy
 * explore within its limits. Not thread-safe: the scorer's lock guards it.
 */
final class Ranker {
  private final double epsilon;
  private final Exploration exploration =
      new Exploration(Exploration.Limits.LIVE, new SplittableRandom());

  Ranker(double epsilon) {
    this.epsilon = epsilon;
  }

  /**
   * @param clip lowers the largest learned correction, in node usage
   */
  Ranking rank(Serving serving, Decision decision, double clip) {
    return rank(serving, decision, clip, true);
  }

  /** The same ranking without a draw: it uses nothing up. */
  Ranking withoutExploring(Serving serving, Decision decision, double clip) {
    return rank(serving, decision, clip, false);
  }

  private Ranking rank(Serving serving, Decision decision, double clip, boolean explore) {
    int n = decision.candidates().size();
    if (serving.policy() instanceof PredictThenGreedy best && best.isBest()) {
      Forecast forecast = best.forecast(decision);
      double[] base = new double[n];
      PredictThenGreedy.base(decision, forecast, base);
      double[] preferences = MemoryLimit.kept(forecast.memoryRoom(), base);
      return new Ranking(preferences, base, null, forecast, Draw.NONE);
    }
    if (!(serving.policy() instanceof LearnedPolicy learned)) {
      double[] preferences = new double[n];
      serving.policy().score(decision, preferences);
      return Ranking.of(preferences);
    }
    LearnedPolicy.Explanation parts = learned.decide(decision, clip);
    double[] preferences = parts.preferences();
    Forecast forecast = parts.state().forecast();
    if (!explore) {
      return new Ranking(preferences, parts.base(), parts, forecast, Draw.NONE);
    }
    Exploration.Choice choice =
        exploration.choose(decision, preferences, forecast.before()[0], epsilon);
    int first = choice.explored() ? choice.candidate() : -1;
    return new Ranking(
        preferences,
        parts.base(),
        parts,
        forecast,
        new Draw(first, choice.propensity(), choice.near()));
  }
}
