package dev.berth.policy.learning;

import java.util.Arrays;
import java.util.Locale;

/** The agents: how they learn, and whether by message passing between nodes. */
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

  private final boolean messagePassing;
  private final boolean actorCritic;
  private final boolean plain;

  AgentKind(boolean messagePassing, boolean actorCritic, boolean plain) {
    this.messagePassing = messagePassing;
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

  /** Whether nodes also see the mean of their groups and of the cluster. */
  public boolean messagePassing() {
    return messagePassing;
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
