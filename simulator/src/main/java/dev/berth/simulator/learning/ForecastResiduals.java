package dev.berth.simulator.learning;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.features.FeatureColumns;
import dev.berth.policy.features.FeatureSchema;
import dev.berth.policy.predict.Calibration;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.ForecastErrors;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.ClusterState;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.RunningPod;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.PodDemand;
import dev.berth.simulator.usage.RecordedWorld;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the base's forecast leaves to be learned. Of every eighth decision it keeps what the agents
 * see of each candidate, and later what the pods of that moment truly use there. The difference to
 * the forecast, as a deviation from the candidates' mean, is all that a corrected forecast could
 * win. Pods bound later do not count: they are other decisions.
 *
 * <p>Thread rule: one thread.
 */
public final class ForecastResiduals implements SimulationListener {
  private static final int EVERY = 8;

  private final PredictThenGreedy base;
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final List<Row> rows = new ArrayList<>();
  private final RecentSamples recent = new RecentSamples();
  private final List<ForecastErrors> errors = new ArrayList<>();
  private final Calibration calibration;
  private final Cluster truth;
  private final double warmup;
  private @Nullable ClusterState state;
  private long decisions;

  /**
   * One candidate of a decision.
   *
   * @param at second of the decision, of the recorded time where usage is recorded
   * @param inputs what the agents see of it, each feature also as a deviation from the candidates'
   *     mean; see {@link #names}
   * @param recent what its samples showed lately; see {@link #recentNames}
   * @param spreads standard deviations that the forecast of it stated, {@code [horizons]}
   * @param outcomes truth less forecast, {@code [horizons]}
   * @param residuals the same as a deviation from the candidates' mean, {@code [horizons]}
   */
  public record Row(
      double at,
      String node,
      double[] inputs,
      double[] recent,
      double[] spreads,
      double[] outcomes,
      double[] residuals) {}

  /** A decision whose future is not complete; the pods of each candidate are those it saw. */
  private record Waiting(
      Decision decision,
      Forecast forecast,
      double[][] spreads,
      double[][] inputs,
      double[][] recent,
      List<Set<RunningPod>> pods,
      double[][] outcomes) {}

  private ForecastResiduals(PredictThenGreedy base, Cluster truth, double warmup) {
    this.base = base;
    this.truth = truth;
    this.warmup = warmup;
    this.calibration =
        new Calibration(PlacementCost.FORECAST_ERROR, Double.POSITIVE_INFINITY, warmup);
    for (int h = 0; h < horizons().length; h++) {
      errors.add(new ForecastErrors());
    }
  }

  /** Plays the base, or a variant of it, on a scenario and collects. */
  public static ForecastResiduals of(Scenario scenario, long seed, PredictThenGreedy base) {
    Simulation simulation = new Simulation(scenario, seed, c -> base);
    ForecastResiduals all =
        new ForecastResiduals(base, simulation.cluster(), scenario.warmupSeconds());
    simulation.listen(all).run();
    return all;
  }

  /** Horizons beyond now, seconds. */
  public static double[] horizons() {
    return Calibration.horizons();
  }

  /** Names of {@link Row#inputs}. */
  public static List<String> names() {
    return withDeviations(FeatureSchema.names());
  }

  /** Names of {@link Row#recent}. */
  public static List<String> recentNames() {
    return withDeviations(RecentSamples.names());
  }

  private static List<String> withDeviations(List<String> features) {
    List<String> names = new ArrayList<>(features);
    features.forEach(name -> names.add(name + ".fromMean"));
    return names;
  }

  /** Every candidate of every decision that was kept, the candidates of one together. */
  public List<Row> rows() {
    return Collections.unmodifiableList(rows);
  }

  /** Truth less forecast as it is, not as a deviation, by horizon. */
  public List<ForecastErrors> errors() {
    return Collections.unmodifiableList(errors);
  }

  /** The same as the live service measures it: from samples, once a minute. */
  public List<ForecastErrors> measuredErrors() {
    return calibration.errors();
  }

  @Override
  public void decided(Decision d, double[] preferences, int chosen) {
    state = d.state();
    calibration.decided(d);
    if (d.now() < warmup || decisions++ % EVERY != 0) {
      return;
    }
    List<Set<RunningPod>> pods = new ArrayList<>();
    for (String name : d.candidates().names()) {
      Set<RunningPod> here = Collections.newSetFromMap(new IdentityHashMap<>());
      here.addAll(truth.node(name).pods());
      pods.add(here);
    }
    Forecast forecast = base.forecast(d);
    double[][] before = forecast.before();
    double[][] shown = new double[pods.size()][];
    Arrays.setAll(shown, i -> recent.of(d.candidates().names()[i], before[0][i]));
    waiting.add(
        new Waiting(
            d,
            forecast,
            calibration.spreads(Arrays.copyOfRange(before, 1, before.length)),
            withDeviations(features(new FeatureColumns(d, forecast).rows().after(), pods.size())),
            withDeviations(shown),
            pods,
            new double[horizons().length][]));
  }

  @Override
  public void sampled(NodeSample sample, double visibleAt) {
    if (state != null && truth.contains(sample.node())) {
      double capacity = truth.node(sample.node()).capacityCores();
      recent.sampled(sample, capacity, visibleAt, state);
    }
  }

  @Override
  public void advanced(Cluster cluster, double from, double seconds) {
    if (state != null) {
      calibration.check(from + seconds, state);
    }
    double[] horizons = horizons();
    for (Waiting w : waiting) {
      for (int h = 0; h < horizons.length; h++) {
        if (w.outcomes()[h] == null && w.decision().now() + horizons[h] <= from + seconds) {
          w.outcomes()[h] = outcomes(w, h + 1, from + seconds);
        }
      }
    }
    while (!waiting.isEmpty() && waiting.getFirst().outcomes()[horizons.length - 1] != null) {
      Waiting w = waiting.removeFirst();
      for (int i = 0; i < w.inputs().length; i++) {
        double[] spread = new double[horizons.length];
        double[] outcome = new double[horizons.length];
        double[] residual = new double[horizons.length];
        for (int h = 0; h < horizons.length; h++) {
          spread[h] = w.spreads()[h][i];
          outcome[h] = w.outcomes()[h][i];
          residual[h] = outcome[h] - Arrays.stream(w.outcomes()[h]).average().orElse(0);
        }
        rows.add(
            new Row(
                beginsAt() + w.decision().now(),
                w.decision().candidates().names()[i],
                w.inputs()[i],
                w.recent()[i],
                spread,
                outcome,
                residual));
      }
    }
  }

  private double[] outcomes(Waiting w, int horizon, double now) {
    String[] names = w.decision().candidates().names();
    double[] out = new double[names.length];
    for (int i = 0; i < names.length; i++) {
      Node node = truth.node(names[i]);
      double cores = node.daemons().cpuCores();
      for (RunningPod pod : node.pods()) {
        cores += w.pods().get(i).contains(pod) ? cores(pod, node, now) : 0;
      }
      out[i] = cores / node.capacityCores() - w.forecast().before()[horizon][i];
      errors.get(horizon - 1).add(out[i], w.spreads()[horizon - 1][i]);
    }
    return out;
  }

  private static double cores(RunningPod pod, Node node, double now) {
    PodDemand demand = pod.demand();
    return demand.cpuCores(now, demand.load().at(now) / node.speed());
  }

  private double beginsAt() {
    RecordedWorld recorded = truth.usage().recorded();
    return recorded == null ? 0 : recorded.beginsAt();
  }

  private static double[][] features(float[] flat, int n) {
    double[][] rows = new double[n][FeatureSchema.SIZE];
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < FeatureSchema.SIZE; k++) {
        rows[i][k] = flat[i * FeatureSchema.SIZE + k];
      }
    }
    return rows;
  }

  /** Every column also as a deviation from its mean over the candidates. */
  private static double[][] withDeviations(double[][] columns) {
    int size = columns.length == 0 ? 0 : columns[0].length;
    double[][] rows = new double[columns.length][2 * size];
    for (int k = 0; k < size; k++) {
      double mean = 0;
      for (double[] row : columns) {
        mean += row[k] / columns.length;
      }
      for (int i = 0; i < rows.length; i++) {
        rows[i][k] = columns[i][k];
        rows[i][size + k] = columns[i][k] - mean;
      }
    }
    return rows;
  }
}
