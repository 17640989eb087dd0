package dev.berth.simulator.engine;

import dev.berth.policy.Policy;
import dev.berth.simulator.scenario.Scenario;

/** Makes the policy of one run. */
@FunctionalInterface
public interface PolicyFactory {

  /**
   * What a policy may need at its birth.
   *
   * @param seed of the run; a policy's own randomness must come from it
   * @param truth for oracles only
   */
  record Context(Scenario scenario, long seed, Cluster truth) {}

  Policy create(Context context);
}
