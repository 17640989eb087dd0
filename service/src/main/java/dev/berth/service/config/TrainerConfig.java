package dev.berth.service.config;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.replay.ReplayBuffer;
import java.time.Duration;
import java.util.Objects;

/** Learning while serving; only for the policies dqn, gnn, ac and ac-gnn. */
public record TrainerConfig(
    @Doc("Whether to learn from what becomes of the placements.") boolean enabled,
    @Doc(
            "From a placement to the start of its measured window; at least"
                + " `prometheus.window`, or the measurement still shows the time before.")
        Duration settle,
    @Doc("Measured window that the reward is the mean of, at most 5m; longer is less noisy.")
        Duration window,
    @Doc("Measured decisions before the first gradient step.") int learningStarts,
    @Doc(
            "Most decisions a second that are learned from, in the mean; a minute's worth may come"
                + " at once. More would not fit into `trainer.unmeasured` until they are measured:"
                + " of those above it a sample in time is learned from.")
        int decisionsPerSecond,
    @Doc("Gradient steps per measured decision.") int stepsPerDecision,
    @Doc("How often the newest weights are put before the promotion gate.") Duration judge,
    @Doc(
            "Most time that newer weights may take to prove themselves on two simulated scenarios,"
                + " at half a core, after they passed on held-out decisions; 0s leaves that out.")
        Duration scenarioBudget,
    @Doc("How often what was learned is written to disk.") Duration checkpoint,
    @Doc(
            "Memory for decisions whose pods are not bound yet (17 KB each at 50 candidates, 72 KB"
                + " at 256 and more); the oldest are dropped and counted.")
        DataSize unbound,
    @Doc("Memory for bound decisions on their way to the trainer; likewise.") DataSize queue,
    @Doc(
            "Memory for decisions that wait for their reward (5 KB each at 50 candidates, 12 KB at"
                + " 256 and more); when it is full, new ones are dropped and counted.")
        DataSize unmeasured,
    RewardsConfig rewards) {

  public TrainerConfig {
    Check.positive(settle, "settle");
    Check.positive(window, "window");
    Check.that(window.toSeconds() <= 300, "window", "at most 5m", window);
    // Decisions that are all alike fill one stratum of the replay, and no more than that.
    int perStratum =
        ReplayBuffer.perStratum(AgentConfig.defaults(AgentKind.DQN).replay().bufferSize());
    Check.that(
        learningStarts >= 1 && learningStarts <= perStratum,
        "learning-starts",
        "1.." + perStratum,
        learningStarts);
    Check.that(
        decisionsPerSecond >= 1 && decisionsPerSecond <= 10_000,
        "decisions-per-second",
        "1..10000",
        decisionsPerSecond);
    Check.that(
        stepsPerDecision >= 1 && stepsPerDecision <= 1000,
        "steps-per-decision",
        "1..1000",
        stepsPerDecision);
    Check.positive(judge, "judge");
    Check.that(
        !scenarioBudget.isNegative(),
        "scenario-budget",
        "a duration, or 0s for none",
        scenarioBudget);
    Check.positive(checkpoint, "checkpoint");
    Check.memory(unbound, "unbound");
    Check.memory(queue, "queue");
    Check.memory(unmeasured, "unmeasured");
    Objects.requireNonNull(rewards.rewards(), "throws when no weight counts");
  }

  static TrainerConfig defaults() {
    return new TrainerConfig(
        true,
        Duration.ofSeconds(60),
        Duration.ofMinutes(2),
        200,
        20,
        1,
        Duration.ofMinutes(5),
        Duration.ofMinutes(1),
        Duration.ofSeconds(30),
        new DataSize(64 << 20),
        new DataSize(32 << 20),
        new DataSize(64 << 20),
        RewardsConfig.defaults());
  }
}
