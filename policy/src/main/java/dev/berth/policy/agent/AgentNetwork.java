package dev.berth.policy.agent;

import dev.berth.policy.Decision;
import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.reward.RewardTerm;
import java.util.random.RandomGenerator;

/** An agent's network: its shape, the weights it starts from, and the rows it sees. */
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

  /** The rows of a decision as this agent sees them. */
  static FeatureRows rows(AgentConfig config, Decision d, Forecast forecast) {
    FeatureRows rows = FeatureRows.of(d, forecast);
    rows = config.architecture().context() ? rows : rows.withoutContext();
    for (RewardTerm.FeatureColumn column : config.task().rewards().featureColumns(d)) {
      rows = rows.with(column.before(), column.after());
    }
    return rows;
  }
}
