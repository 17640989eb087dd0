package dev.berth.workbench.live;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.predict.ForecastErrors;
import dev.berth.policy.predict.NowCheck;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.policy.state.ClusterState;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.simulator.workload.Rhythm;
import dev.berth.simulator.workload.WorkloadEvent;
import dev.berth.simulator.workload.WorkloadGenerator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A turn of the demo on the virtual clock: the same nodes, Deployments, rhythm and usage of every
 * pod, measured as {@link NodeUsage} measures, so that what a live turn shows can be held against
 * what the simulator promises for just this list.
 *
 * <p>Where pods go hangs on accidents: who wins a tie, when nodes are scraped, in which second of
 * the virtual clock's tick the list begins. One list spreads usage by 1.9 or by 3.1 % under Berth,
 * however long it is measured, so the twin is played several times with the same usage and other
 * accidents.
 */
final class Twin {
  /** The stock scheduler's own policy. */
  static final String STOCK = "default-spread";

  /** The one that Berth's scores come from. */
  static final String BERTH = "predict-then-greedy";

  private static final int PLAYS = 10;

  private Twin() {}

  /**
   * @param std spread of CPU usage in the measured stretch, as {@link NodeUsage.Spread#std}, mean
   *     of all plays
   * @param low that of the play with the lowest
   * @param high that of the play with the highest
   * @param forecastErrorNow root mean square error of the forecast of now in all plays, as the
   *     service measures it, as a share of a node
   * @param forecastErrorJustBound the same of forecasts within 15 s of a bind
   */
  record Result(
      double std, double low, double high, double forecastErrorNow, double forecastErrorJustBound) {
    static final Result UNKNOWN =
        new Result(Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);

    static Result of(double[] plays, ForecastErrors now, ForecastErrors justBound) {
      DoubleSummaryStatistics all = Arrays.stream(plays).summaryStatistics();
      return new Result(
          all.getAverage(),
          all.getMin(),
          all.getMax(),
          now.accuracy().rmse(),
          justBound.accuracy().rmse());
    }
  }

  /**
   * Plays a turn.
   *
   * @param scenario the one of {@code make demo}, or another whose nodes are the cluster's
   * @param seed of the usage
   * @param first Deployments that are there from the beginning, in namespace {@code default}
   * @param plans the list, played in the workload's namespace
   * @param policy a name of {@link PolicyCatalog}
   */
  static Result play(
      Scenario scenario,
      long seed,
      List<DeploymentPlan> first,
      List<DeploymentPlan> plans,
      String policy) {
    Timetable times = Timetable.of(scenario, plans.size());
    double end = Timetable.BEGIN + times.end();
    Scenario turn = scenario.withDuration(end, end - times.measured());
    double[] std = new double[PLAYS];
    ForecastErrors errors = new ForecastErrors();
    ForecastErrors justBound = new ForecastErrors();
    for (int play = 0; play < PLAYS; play++) {
      Spread spread = new Spread(turn.warmupSeconds());
      Now now = new Now();
      new Simulation(turn, seed, PLAYS * seed + play, new PolicyCatalog().find(policy))
          .play(events(turn, first, plans, Timetable.BEGIN - play % Simulation.TICK_SECONDS))
          .listen(spread)
          .listen(now)
          .run();
      std[play] = spread.mean();
      errors.addAll(now.check.all());
      justBound.addAll(now.check.justBound());
    }
    return Result.of(std, errors, justBound);
  }

  /** What users do in a turn that begins at a second of the usage model's clock. */
  static List<WorkloadEvent> events(
      Scenario scenario, List<DeploymentPlan> first, List<DeploymentPlan> plans, double begin) {
    List<WorkloadEvent> events = new ArrayList<>();
    events.addAll(WorkloadGenerator.events(first, new Rhythm(1, 0, 0, 0), "default"));
    events.addAll(
        WorkloadGenerator.events(plans, scenario.workload().rhythm(), Workload.Options.NAMESPACE));
    events.replaceAll(
        event ->
            event instanceof WorkloadEvent.Submit submit
                ? new WorkloadEvent.Submit(begin + submit.at(), submit.pods())
                : new WorkloadEvent.Reset(begin + event.at()));
    return events;
  }

  /** The standard deviation over workers of the rate of CPU usage, mean after the warm-up. */
  private static final class Spread implements SimulationListener {
    private static final int WINDOW = (int) (Demo.RATE_SECONDS / Simulation.TICK_SECONDS);

    private final double warmup;
    private final Deque<double[]> window = new ArrayDeque<>();
    private double sum;
    private int ticks;

    Spread(double warmup) {
      this.warmup = warmup;
    }

    double mean() {
      return sum / ticks;
    }

    @Override
    public void advanced(Cluster truth, double from, double seconds) {
      window.add(
          truth.nodes().stream()
              .filter(Node::worker)
              .mapToDouble(node -> node.usedCores() / node.capacityCores())
              .toArray());
      if (window.size() > WINDOW) {
        window.remove();
      }
      if (from >= warmup) {
        double[] rates = new double[window.element().length];
        for (double[] tick : window) {
          Arrays.setAll(rates, i -> rates[i] + tick[i] / window.size());
        }
        sum += std(rates);
        ticks++;
      }
    }

    private static double std(double[] values) {
      double mean = Arrays.stream(values).average().orElse(0);
      return Math.sqrt(Arrays.stream(values).map(v -> (v - mean) * (v - mean)).average().orElse(0));
    }
  }

  /** The forecast of now against the next sample. */
  private static final class Now implements SimulationListener {
    private final NowCheck check =
        new NowCheck(PlacementCost.FORECAST_ERROR, Double.POSITIVE_INFINITY);
    private @Nullable ClusterState state; // unknown before the first decision

    @Override
    public void decided(Decision decision, double[] preferences, int chosen) {
      state = decision.state();
    }

    @Override
    public void sampled(NodeSample sample, double visibleAt) {
      if (state != null) {
        check.sampled(sample, state.cpuCapacity(sample.node()), visibleAt, state);
      }
    }
  }
}
