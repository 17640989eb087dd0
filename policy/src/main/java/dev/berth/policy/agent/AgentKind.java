package dev.berth.policy.agent;

import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.network.NetworkSpec;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The four agents: how they learn, and whether nodes hear their rack, zone and cluster. */
public enum AgentKind {
  DQN(false, false),
  GNN(true, false),
  AC(false, true),
  AC_GNN(true, true);

  private final boolean messages;
  private final boolean actorCritic;

  AgentKind(boolean messages, boolean actorCritic) {
    this.messages = messages;
    this.actorCritic = actorCritic;
  }

  /** Kebab-case name, as on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public boolean actorCritic() {
    return actorCritic;
  }

  /** The agent's network: one value per row. */
  public NetworkSpec network(List<Integer> hidden) {
    return new NetworkSpec(FeatureSchema.SIZE, hidden, 1, messages, true);
  }

  /**
   * @throws IllegalArgumentException for an unknown name; the message lists all
   */
  public static AgentKind byId(String id) {
    return Arrays.stream(values())
        .filter(k -> k.id().equals(id))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "unknown agent '"
                        + id
                        + "': choose one of "
                        + String.join(", ", Arrays.stream(values()).map(AgentKind::id).toList())));
  }
}
