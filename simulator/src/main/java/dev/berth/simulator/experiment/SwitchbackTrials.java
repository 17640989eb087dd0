package dev.berth.simulator.experiment;

import dev.berth.policy.evidence.Slots;
import dev.berth.simulator.engine.PolicyFactory;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.experiment.SwitchbackRun.Outcome;
import dev.berth.simulator.scenario.Scenario;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Experiments where the truth is known: a policy with itself, and with one that is worse.
 *
 * @param world played anew for every seed; its first hour is not measured
 * @param a cheap, for what is tried is the experiment and not the policy
 * @param worseBy share of the pods that B puts anywhere
 */
public record SwitchbackTrials(Scenario world, PolicyFactory a, double worseBy) {
  /** Twenty minutes, of pods that live four: a slot soon shows its own arm. */
  public static final Slots SLOTS = new Slots(0, 3_600, 1_200, 400);

  /** What becomes of many experiments of A with itself in the world of a seed. */
  public List<Outcome> withItself(long seed, int experiments) {
    LongStream coins = LongStream.range(seed * experiments, (seed + 1) * experiments);
    return SwitchbackRun.withItself(world, seed, a, SLOTS, coins);
  }

  /** What becomes of one with the worse policy. */
  public Outcome withWorse(long seed) {
    return SwitchbackRun.play(world, seed, a, worse(), SLOTS.drawnFrom(seed));
  }

  /** How much more the worse policy spreads usage than A, each alone in the world of a seed. */
  public double trulyWorse(long seed) {
    return spread(worse(), seed) / spread(a, seed) - 1;
  }

  private PolicyFactory worse() {
    return Careless.of(a, worseBy);
  }

  private double spread(PolicyFactory policy, long seed) {
    Scenario measured = world.withDuration(world.durationSeconds(), SLOTS.start());
    RunMetrics metrics = new RunMetrics(measured);
    new Simulation(measured, seed, policy).listen(metrics).run();
    return metrics.values().getOrDefault(Metric.USAGE_CPU_STD, Double.NaN);
  }
}
