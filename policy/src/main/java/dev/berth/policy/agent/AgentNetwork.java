package dev.berth.policy.agent;

import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import java.util.random.RandomGenerator;

/** An agent's network: its shape, and the weights it starts from. */
public final class AgentNetwork {
  private AgentNetwork() {}

  public static NetworkSpec spec(AgentConfig config) {
    int inputs = FeatureSchema.SIZE + config.task().rewards().seen().size();
    return new NetworkSpec(
        inputs, config.architecture().hidden(), 1, config.kind().messagePassing(), true);
  }

  /**
   * Weights to start from: random for an agent alone; for a residual the outputs are silent, so
   * that it starts exactly at its base.
   */
  public static Weights initial(AgentConfig config, RandomGenerator random) {
    Weights drawn = Weights.random(spec(config), random);
    return config.correction().residual() ? drawn.withZeroOutputs() : drawn;
  }
}
