package dev.berth.simulator.experiment;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.simulator.engine.PolicyFactory;
import java.util.SplittableRandom;

/**
 * A policy made worse by a known amount: it puts a share of the pods anywhere.
 *
 * @param base what places the others
 */
record Careless(Policy base, double share, SplittableRandom random) implements Policy {

  static PolicyFactory of(PolicyFactory base, double share) {
    return context ->
        new Careless(base.create(context), share, new SplittableRandom(context.seed()));
  }

  @Override
  public String name() {
    return base.name() + ", " + Math.round(100 * share) + " % of pods anywhere";
  }

  @Override
  public void score(Decision decision, double[] preferences) {
    base.score(decision, preferences);
    if (random.nextDouble() < share) {
      for (int i = 0; i < preferences.length; i++) {
        preferences[i] = random.nextDouble();
      }
    }
  }

  @Override
  public UsageConfig usageConfig(UsageConfig config) {
    return base.usageConfig(config);
  }
}
