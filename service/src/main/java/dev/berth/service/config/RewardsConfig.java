package dev.berth.service.config;

import dev.berth.policy.reward.Rewards;
import java.util.Map;

/** Weights of the reward; docs/rewards.md says what each term is. */
public record RewardsConfig(
    @Doc("Weight of the spread of CPU usage over the nodes.") double balance,
    @Doc("Weight of CPU demand above capacity.") double overload,
    @Doc("Weight of nodes in use and how empty they are.") double pack,
    @Doc("Weight of the spread of TCP connections over the nodes.") double connections,
    @Doc("Weight of latency above the limits of the pods' annotations.") double latency,
    @Doc("Weight of the power of the nodes in use.") double energy,
    @Doc("Weight of idle GPU that the usual pods cannot use.") double fragmentation,
    @Doc("Weight of the distance between the pods of one owner; negative to spread them.")
        double locality) {

  static RewardsConfig defaults() {
    return new RewardsConfig(1, 10, 0, 0, 0, 0, 0, 0);
  }

  /**
   * As agents take them.
   *
   * @throws IllegalArgumentException when no weight counts
   */
  public Rewards rewards() {
    return new Rewards(
        Map.of(
            "balance", balance,
            "overload", overload,
            "pack", pack,
            "connections", connections,
            "latency", latency,
            "energy", energy,
            "fragmentation", fragmentation,
            "locality", locality));
  }
}
