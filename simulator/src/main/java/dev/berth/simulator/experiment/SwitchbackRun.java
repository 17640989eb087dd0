package dev.berth.simulator.experiment;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.evidence.Slots;
import dev.berth.policy.evidence.Slots.Arm;
import dev.berth.policy.evidence.Switchback;
import dev.berth.policy.evidence.SwitchbackMeasure;
import dev.berth.policy.evidence.SwitchbackVerdict;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.PolicyFactory;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.scenario.Scenario;
import java.util.List;
import java.util.stream.LongStream;

/**
 * Experiments as {@code berth ab} makes them, on simulated clusters: two policies serve in turn,
 * spread and overload are measured, and the first look at which an interval excludes zero ends one.
 * The cluster state is estimated as A wants it.
 */
public final class SwitchbackRun {
  /** Spread and overload. */
  private static final int MEASURES = 2;

  private final Switchback experiment;
  private boolean gain;

  private SwitchbackRun(Slots slots) {
    this.experiment = new Switchback(slots, MEASURES);
  }

  /**
   * How an experiment ended.
   *
   * @param harm it was stopped, for B is worse
   * @param gain B was called better at some look
   * @param pairs of slots until it was stopped, or until the scenario's end
   * @param spread what is known then of the spread of usage
   */
  public record Outcome(boolean harm, boolean gain, int pairs, SwitchbackVerdict spread) {
    /** Whether an experiment with B the same as A would be a false alarm. */
    public boolean alarm() {
      return harm || gain;
    }
  }

  /** One experiment; once it is stopped A serves alone. */
  public static Outcome play(
      Scenario scenario, long seed, PolicyFactory a, PolicyFactory b, Slots slots) {
    SwitchbackRun run = new SwitchbackRun(slots);
    new Simulation(scenario, seed, context -> new InTurn(a.create(context), b.create(context), run))
        .listen(new Reader(List.of(run)))
        .run();
    return run.outcome();
  }

  /**
   * Many experiments of a policy with itself, in one world: as both arms are the same, the coins
   * that name them change nothing in it. Of each the false alarms are as likely as if it had a
   * world of its own, whatever the world is, for nothing but its coins is left to chance.
   *
   * @param seeds of the experiments' coins
   */
  public static List<Outcome> withItself(
      Scenario scenario, long seed, PolicyFactory a, Slots slots, LongStream seeds) {
    List<SwitchbackRun> runs = seeds.mapToObj(s -> new SwitchbackRun(slots.drawnFrom(s))).toList();
    new Simulation(scenario, seed, a).listen(new Reader(runs)).run();
    return runs.stream().map(SwitchbackRun::outcome).toList();
  }

  private void measured(double at, double[] reading) {
    experiment.measured(at, reading);
    gain |= experiment.verdicts().stream().anyMatch(SwitchbackVerdict::gain);
  }

  private Outcome outcome() {
    SwitchbackVerdict spread = experiment.verdicts().get(SwitchbackMeasure.SPREAD.ordinal());
    return new Outcome(experiment.harm(), gain, experiment.pairs().size(), spread);
  }

  private record InTurn(Policy a, Policy b, SwitchbackRun run) implements Policy {
    @Override
    public String name() {
      return a.name() + " / " + b.name();
    }

    @Override
    public void score(Decision decision, double[] preferences) {
      (run.experiment.serving(decision.now()) == Arm.A ? a : b).score(decision, preferences);
    }

    @Override
    public UsageConfig usageConfig(UsageConfig base) {
      return a.usageConfig(base);
    }
  }

  /** Takes a reading every time the world advances. */
  private record Reader(List<SwitchbackRun> runs) implements SimulationListener {
    @Override
    public void advanced(Cluster truth, double from, double seconds) {
      double[] usage =
          truth.nodes().stream()
              .filter(Node::worker)
              .mapToDouble(node -> node.usedCores() / node.capacityCores())
              .toArray();
      double[] reading = SwitchbackMeasure.ofUsage(usage);
      runs.forEach(run -> run.measured(from, reading));
    }
  }
}
