package dev.berth.simulator.rival;

import static dev.berth.simulator.rival.Ask.GIB;
import static dev.berth.simulator.rival.Ask.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.experiment.Experiment;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.rival.Koordlet.NodeMetric;
import dev.berth.simulator.rival.Koordlet.Used;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Scores and thresholds are those of koordinator v1.8.0 {@code load_aware_test.go} (TestScore,
 * TestFilterUsage): a node of 96 cores and 512 GiB, pods of 16 cores and 32 GiB, a report a minute.
 */
class LoadAwareTest {
  private static final double NOW = 10_000;
  private static final Pod NEW = pod("test-pod-1", 16_000, 32 * GIB);

  private final LoadAware koordinator = new LoadAware("koordinator-1.8", Koordlet.DEFAULT, true);

  private static NodeMetric metric(double at, long cores, long gib, Map<String, Used> pods) {
    return new NodeMetric(at, new Used(1000 * cores, gib * GIB), pods);
  }

  private double score() {
    return Ask.score(koordinator, NOW, NEW, 96_000, 512 * GIB);
  }

  @Test
  void an_empty_node_a_loaded_one_and_one_with_a_pod_just_assigned() {
    koordinator.report("node", metric(NOW, 0, 0, Map.of()));
    assertThat(score()).isEqualTo(90);
    koordinator.report("node", metric(NOW, 32, 10, Map.of()));
    assertThat(score()).isEqualTo(72);
    koordinator.bound(pod("assigned-pod-1", 16_000, 32 * GIB), "node", NOW);
    assertThat(score()).isEqualTo(63);
    koordinator.report("node", metric(NOW - 10, 32, 10, Map.of()));
    assertThat(score()).as("assigned after the report").isEqualTo(63);
  }

  @Test
  void a_pod_assigned_ten_seconds_before_the_report_still_counts_by_its_estimate() {
    koordinator.bound(pod("assigned-pod-1", 16_000, 32 * GIB), "node", NOW - 10);
    koordinator.report("node", metric(NOW, 32, 10, Map.of()));
    assertThat(score()).isEqualTo(63);
  }

  @Test
  void of_a_measured_pod_only_what_its_estimate_exceeds_is_added_and_nothing_after_an_interval() {
    Used measured = new Used(10_000, 30 * GIB);
    koordinator.bound(pod("assigned-pod-1", 16_000, 32 * GIB), "node", NOW - 10);
    koordinator.report("node", metric(NOW, 32, 10, Map.of("assigned-pod-1", measured)));
    // CPU: 32 + (13.6 - 10) + 13.6 of 96 leaves 48; memory: above its estimate, 93 as before.
    assertThat(score()).isEqualTo(70);
    koordinator.report("node", metric(NOW + 51, 32, 10, Map.of("assigned-pod-1", measured)));
    assertThat(score()).isEqualTo(72);
    koordinator.gone(pod("assigned-pod-1", 16_000, 32 * GIB), "node", NOW + 51);
    assertThat(score()).isEqualTo(72);
  }

  @Test
  void a_node_that_never_reported_or_whose_report_has_expired_scores_nothing() {
    assertThat(score()).isZero();
    koordinator.report("node", metric(NOW - 180, 0, 0, Map.of()));
    assertThat(score()).isZero();
    koordinator.report("node", metric(NOW - 179, 0, 0, Map.of()));
    assertThat(score()).isEqualTo(90);
  }

  @Test
  void the_filter_refuses_above_65_percent_of_cpu_and_95_percent_of_memory() {
    assertThat(admits(60, 256)).isTrue();
    assertThat(admits(70, 256)).isFalse();
    assertThat(admits(30, 500)).isFalse();
    assertThat(new LoadAware("off", Koordlet.DEFAULT, false).admits(NEW, node(), NOW)).isTrue();
  }

  private boolean admits(long cores, long gib) {
    koordinator.report("node-0", metric(NOW, cores, gib, Map.of()));
    return koordinator.admits(pod("best-effort", 0, 0), node(), NOW);
  }

  private static Scenario scenario(double load) {
    return Scenario.of(
            "koordinator",
            List.of(NodeGroup.of("node", 2, 96_000, 512 * GIB)),
            WorkloadSpec.of(WorkloadSpec.Kind.STEADY, load),
            UsageParameters.DEFAULT,
            MetricsSpec.DEFAULT)
        .withDuration(1800, 0);
  }

  private static Node node() {
    Simulation run =
        Experiment.simulation(
            scenario(0.1).withDuration(5, 0),
            new PolicyCatalog().find("default"),
            1,
            new PolicyCatalog());
    run.run();
    return run.cluster().node("node-0");
  }

  @Test
  void the_agent_reports_what_nodes_and_pods_really_used_over_its_window() {
    Koordlet.Fleet fleet = new Koordlet.Fleet(new Koordlet(60, 120));
    List<Double> cores = new ArrayList<>();
    List<NodeMetric> reports = new ArrayList<>();
    Experiment.simulation(
            scenario(0.5), new PolicyCatalog().find("default"), 42, new PolicyCatalog())
        .listen(
            new SimulationListener() {
              @Override
              public void advanced(Cluster truth, double from, double dt) {
                cores.add(truth.node("node-0").usedCores());
                fleet.advanced(
                    truth,
                    from,
                    dt,
                    (name, metric) -> {
                      if (name.equals("node-0") && from > 600) {
                        reports.add(metric);
                        double sum = 0;
                        for (Double c : cores.subList(cores.size() - 24, cores.size())) {
                          sum += c;
                        }
                        assertThat(metric.node().cpuMilli()).isEqualTo(Math.round(1000 * sum / 24));
                        assertThat(metric.pods())
                            .hasSize(truth.node(name).pods().size())
                            .allSatisfy((uid, used) -> assertThat(used.cpuMilli()).isPositive());
                      }
                    });
              }
            })
        .run();
    assertThat(reports).hasSize(20);
  }
}
