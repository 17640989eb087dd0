package dev.berth.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.RunningPod;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RunMetricsTest {
  private static final Path SCENARIOS =
      Path.of(System.getProperty("berth.root", ".."), "simulator", "scenarios");

  /** The same figures, counted pod by pod and node by node. */
  private static final class Count implements SimulationListener {
    private final double warmup;
    private double ticks;
    private double nodeTicks;
    private double hot;
    private double wanted;
    private double refused;
    private double requested;
    private int evicted;

    Count(double warmup) {
      this.warmup = warmup;
    }

    @Override
    public void evicted(Pod pod, String node, double at) {
      evicted += at < warmup ? 0 : 1;
    }

    @Override
    public void advanced(Cluster truth, double from, double seconds) {
      if (from < warmup) {
        return;
      }
      ticks++;
      double used = 0;
      double cores = 0;
      for (Node node : truth.nodes()) {
        double demand = node.daemons().cpuCores();
        for (RunningPod pod : node.pods()) {
          demand += pod.demandCores();
          used += pod.spec().pod().cpuMilli() / 1000.0;
        }
        cores += node.capacityCores();
        nodeTicks++;
        hot += demand > 0.8 * node.capacityCores() ? 1 : 0;
        wanted += demand;
        refused += Math.max(0, demand - node.capacityCores());
      }
      requested += used / cores;
    }
  }

  @Test
  void what_operators_feel_is_what_nodes_and_pods_really_did_seed_203() throws IOException {
    Scenario scenario = ScenarioFile.read(SCENARIOS.resolve("memory/memory-overused-70.yaml"));
    RunMetrics metrics = new RunMetrics(scenario);
    Count count = new Count(scenario.warmupSeconds());
    PolicyCatalog catalog = new PolicyCatalog();
    // Packing makes hot nodes, throttled CPU and evictions enough.
    Experiment.simulation(scenario, catalog.find("most-allocated"), 203, catalog)
        .listen(metrics)
        .listen(count)
        .run();
    Map<Metric, Double> values = metrics.values();
    assertThat(count.hot).isPositive();
    assertThat(count.refused).isPositive();
    assertThat(count.evicted).isPositive();
    assertThat(values.get(Metric.HOT_NODE_SHARE))
        .isCloseTo(count.hot / count.nodeTicks, within(0.02));
    assertThat(values.get(Metric.THROTTLED_CPU))
        .isCloseTo(count.refused / count.wanted, within(0.01));
    assertThat(values.get(Metric.CARRIED_LOAD))
        .isCloseTo(count.requested / count.ticks, within(1e-3));
    assertThat(values.get(Metric.EVICTIONS)).isEqualTo(count.evicted);
    assertThat(values.get(Metric.P99_LATENCY_MILLIS))
        .isGreaterThan(Math.log(100) * values.get(Metric.LATENCY_MILLIS));
  }
}
