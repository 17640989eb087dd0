package dev.berth.service.scoring;

import dev.berth.policy.Decision;
import dev.berth.policy.agent.Exploration;
import dev.berth.policy.agent.LearnedPolicy;
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

  Ranking rank(Serving serving, Decision decision) {
    return rank(serving, decision, true);
  }

  /** The same ranking without a draw: it uses nothing up. */
  Ranking withoutExploring(Serving serving, Decision decision) {
    return rank(serving, decision, false);
  }

  private Ranking rank(Serving serving, Decision decision, boolean explore) {
    double[] preferences = new double[decision.candidates().size()];
    if (!(serving.policy() instanceof LearnedPolicy learned)) {
      serving.policy().score(decision, preferences);
      return new Ranking(preferences, null, null, -1, 1, false);
    }
    LearnedPolicy.Explanation parts = learned.explain(decision);
    for (int i = 0; i < preferences.length; i++) {
      preferences[i] = parts.base()[i] + parts.correction()[i];
    }
    if (!explore) {
      return new Ranking(preferences, parts.base(), parts.correction(), -1, 1, false);
    }
    Exploration.Choice choice =
        exploration.choose(decision, preferences, parts.forecast().before()[0], epsilon);
    return new Ranking(
        preferences,
        parts.base(),
        parts.correction(),
        choice.candidate(),
        choice.propensity(),
        choice.explored());
  }
}
