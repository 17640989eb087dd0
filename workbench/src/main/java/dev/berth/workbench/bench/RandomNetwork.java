package dev.berth.workbench.bench;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.service.registry.ModelRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.util.SplittableRandom;

/** A model that has something to say: the one that ships is silent, and so never asked. */
public final class RandomNetwork {
  private RandomNetwork() {}

  /** Has the service of an empty state folder start with a dqn of random weights. */
  public static void put(Path stateFolder) {
    AgentConfig agent = AgentConfig.defaults(AgentKind.DQN);
    Weights weights = Weights.random(AgentNetwork.spec(agent), new SplittableRandom(1));
    Adam adam = new Adam(weights.spec(), agent.learning().learningRate());
    ModelRegistry registry = ModelRegistry.of(stateFolder, agent.kind().id());
    byte[] model = BalanceModel.of(agent, weights, adam.moments(), 0, 0).encode();
    registry.promote(
        registry
            .add(model, agent.kind().id(), Instant.now().toString(), 0, 0, "random weights")
            .version());
  }
}
