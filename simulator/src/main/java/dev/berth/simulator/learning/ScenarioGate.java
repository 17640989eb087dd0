package dev.berth.simulator.learning;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.agent.PromotionGate.Verdict;
import dev.berth.policy.evidence.Estimate;
import dev.berth.policy.network.Weights;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.experiment.Metric;
import dev.berth.simulator.experiment.RunMetrics;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.WorkloadSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The second half of the promotion gate: newer weights play fixed scenarios against what serves and
 * against the base alone, pod for pod the same, and may not be clearly worse in either. Held-out
 * decisions are those of a cluster as it was; here it is unequal, full, and a third of its samples
 * are missing, where free Q-networks broke.
 *
 * <p>The comparison with the base keeps many promotions, each a little worse, from adding up.
 *
 * <p>Thread rule: one thread, not the one that scores. It works at most half of the time.
 */
public final class ScenarioGate {
  /** Clearly worse: by more than this beyond two standard errors of the paired runs. */
  private static final double TOLERANCE = 0.02;

  private static final double ERRORS = 2;

  private static final int MIN_SEEDS = 2;
  private static final int MAX_SEEDS = 3;
  private static final int REMEMBERED = 4;
  private static final long GiB = 1L << 30;
  private static final long WORK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /**
   * An hour and a half each. The steady one tells networks apart with the fewest runs (one that
   * likes uneven nodes costs 31 +- 2 % more over five seeds; a burst tells it with +- 18 %).
   */
  private static final List<Scenario> SCENARIOS =
      List.of(
          scenario(
              "unequal-80-l30",
              List.of(
                  NodeGroup.of("small", 4, 32_000, 128 * GiB),
                  NodeGroup.of("medium", 3, 64_000, 256 * GiB),
                  NodeGroup.of("large", 3, 96_000, 384 * GiB)),
              WorkloadSpec.of(WorkloadSpec.Kind.STEADY, 0.8),
              0.3),
          scenario(
              "steady-50",
              List.of(NodeGroup.of("node", 10, 64_000, 256 * GiB)),
              WorkloadSpec.of(WorkloadSpec.Kind.STEADY, 0.5),
              0.05));

  private final AgentConfig config;
  private final long budgetNanos;
  private final Weights base;
  private final Map<Weights, List<double[]>> costs = new LinkedHashMap<>(8, 0.75f, true);

  /**
   * @param config of a residual agent
   * @param budget most time of one judgement; what was played stays known for the next one
   */
  public ScenarioGate(AgentConfig config, Duration budget) {
    this.config = config;
    this.budgetNanos = budget.toNanos();
    this.base = AgentNetwork.initial(config, new SplittableRandom(0)).withZeroOutputs();
  }

  private static Scenario scenario(
      String name, List<NodeGroup> nodes, WorkloadSpec workload, double loss) {
    MetricsSpec samples =
        new MetricsSpec(
            MetricsSpec.DEFAULT.scrapeSeconds(), MetricsSpec.DEFAULT.delaySeconds(), loss);
    return Scenario.of(name, nodes, workload, UsageParameters.DEFAULT, samples)
        .withDuration(5400, 1200);
  }

  /**
   * Plays the scenarios with as many seeds as the budget allows.
   *
   * @throws InterruptedException when the thread is interrupted; nothing is decided then
   */
  public Verdict judge(Weights serving, Weights candidate) throws InterruptedException {
    long end = System.nanoTime() + budgetNanos;
    List<Weights> rivals = serving.equals(base) ? List.of(base) : List.of(serving, base);
    int seeds = 0;
    while (seeds < MAX_SEEDS
        && played(seeds, end, rivals)
        && played(seeds, end, List.of(candidate))) {
      seeds++;
    }
    if (seeds < MIN_SEEDS) {
      return new Verdict(
          false,
          "the fixed scenarios were not through within "
              + Duration.ofNanos(budgetNanos).toMillis() / 1000.0
              + " s (trainer.scenario-budget)",
          Estimate.NONE);
    }
    boolean promote = true;
    StringBuilder said = new StringBuilder();
    for (Weights rival : rivals) {
      said.append(said.isEmpty() ? "cost" : ";")
          .append(rival == base ? " vs. base" : " vs. serving");
      for (int s = 0; s < SCENARIOS.size(); s++) {
        Difference d = difference(candidate, rival, s, seeds);
        promote &= d.mean() - ERRORS * d.error() <= TOLERANCE;
        said.append(
            String.format(
                Locale.ROOT,
                " %s %+.1f +- %.1f %%",
                SCENARIOS.get(s).name(),
                100 * d.mean(),
                100 * d.error()));
      }
    }
    return new Verdict(promote, said + " over " + seeds + " seeds", Estimate.NONE);
  }

  private record Difference(double mean, double error) {}

  /** Paired, relative to the rival; the error is the standard error of the mean. */
  private Difference difference(Weights candidate, Weights rival, int scenario, int seeds) {
    double[] d = new double[seeds];
    for (int i = 0; i < seeds; i++) {
      d[i] = known(candidate).get(i)[scenario] / known(rival).get(i)[scenario] - 1;
    }
    double mean = Arrays.stream(d).average().orElse(0);
    double squares = Arrays.stream(d).map(x -> (x - mean) * (x - mean)).sum();
    return new Difference(mean, Math.sqrt(squares / (seeds - 1) / seeds));
  }

  /** Whether all have played this seed, after playing it if need be; false when time is up. */
  private boolean played(int seed, long end, List<Weights> players) throws InterruptedException {
    for (Weights player : players) {
      List<double[]> known = known(player);
      if (known.size() <= seed) {
        double[] cost = new double[SCENARIOS.size()];
        for (int s = 0; s < cost.length; s++) {
          Double played = play(SCENARIOS.get(s), 1 + seed, player, end);
          if (played == null) {
            return false;
          }
          cost[s] = played;
        }
        known.add(cost);
      }
    }
    return true;
  }

  /** Costs by seed and scenario; the least recently used of too many weights are forgotten. */
  private List<double[]> known(Weights weights) {
    List<double[]> found = costs.computeIfAbsent(weights, w -> new ArrayList<>());
    if (costs.size() > REMEMBERED) {
      costs.remove(costs.keySet().iterator().next());
    }
    return found;
  }

  /** Null when time is up. */
  private @Nullable Double play(Scenario scenario, long seed, Weights weights, long end)
      throws InterruptedException {
    RunMetrics metrics = new RunMetrics(scenario);
    LearnedPolicy policy = new LearnedPolicy(config, weights);
    Pace pace = new Pace(end);
    try {
      new Simulation(scenario, seed, context -> policy).listen(metrics).listen(pace).run();
    } catch (Stopped e) {
      if (pace.interrupted) {
        throw new InterruptedException("the gate was closed");
      }
      return null;
    }
    return metrics.values().get(Metric.COST);
  }

  /** Rests as long as it works, so that a scorer on the same core hardly feels it. */
  private static final class Pace implements SimulationListener {
    private final long end;
    private long resumed = System.nanoTime();
    private boolean interrupted;

    Pace(long end) {
      this.end = end;
    }

    @Override
    public void advanced(Cluster truth, double from, double seconds) {
      long worked = System.nanoTime() - resumed;
      if (System.nanoTime() - end > 0) {
        throw new Stopped();
      }
      if (worked < WORK_NANOS) {
        return;
      }
      try {
        TimeUnit.NANOSECONDS.sleep(worked);
      } catch (InterruptedException e) {
        interrupted = true;
        throw new Stopped();
      }
      resumed = System.nanoTime();
    }
  }

  /** Leaves a simulation in mid-run. */
  private static final class Stopped extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super(null, null, false, false);
    }
  }
}
