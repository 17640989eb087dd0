package dev.berth.simulator.oracle;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.PreferenceScale;
import dev.berth.policy.heuristic.Policies;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.simulator.usage.Draws;

/**
 * A policy of ours as a scheduler follows it: its scores, 0 to 100, at the weight that {@code
 * manifests/scheduler} gives Berth, beside those of the stock scorers, which all stay. By itself a
 * policy has the last word, which no cluster gives it.
 */
record AsShipped(String name, Policy policy) implements Policy {
  static final int WEIGHT = 20;
  private static final Policy STOCK =
      Policies.byName("default-spread", Draws.stream(0, "default-spread")); // draws nothing

  @Override
  public UsageConfig usageConfig(UsageConfig base) {
    return policy.usageConfig(base);
  }

  @Override
  public boolean forecasts() {
    return policy.forecasts();
  }

  @Override
  public void score(Decision d, double[] preferences) {
    policy.score(d, preferences);
    int[] scores = new int[preferences.length];
    PreferenceScale.scale(preferences, scores);
    STOCK.score(d, preferences);
    for (int i = 0; i < preferences.length; i++) {
      preferences[i] += WEIGHT * scores[i];
    }
  }
}
