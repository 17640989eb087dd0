package dev.berth.policy.learning;

import java.util.Arrays;
import java.util.Locale;

/** The agents: how they learn, and whether nodes hear their groups and the cluster. */
public enum AgentKind {
  DQN(false, false, false),
  GNN(true, false, false),
  AC(false, true, false),
  AC_GNN(true, true, false),
  /**
   * DQN as published schedulers have it, a rival in the simulator: one value per node after the
   * placement instead of a difference, a global reward, discounted, no base.
   */
  PLAIN_DQN(false, false, true);

  private final boolean messages;
  private final boolean actorCritic;
  private final boolean plain;

  AgentKind(boolean messages, boolean actorCritic, boolean plain) {
    this.messages = messages;
    this.actorCritic = actorCritic;
    this.plain = plain;
  }

  /** Whether Q is the value after the placement alone; such an agent corrects no base. */
  public boolean plain() {
    return plain;
  }

  /** Kebab-case name, as on the command line. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public boolean actorCritic() {
    return actorCritic;
  }

  /** Whether nodes hear their groups. */
  public boolean messages() {
    return messages;
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
