package dev.berth.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.heuristic.Policies;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class OwnerDistanceTest {
  private final List<String> seen = new ArrayList<>();

  private static Scenario scenario(int nodes, int perRack, int zones) {
    NodeGroup group =
        new NodeGroup(
            "node",
            nodes,
            64_000,
            256L << 30,
            110,
            1,
            zones,
            perRack,
            Map.of(),
            List.of(),
            0,
            Double.POSITIVE_INFINITY);
    return Scenario.of(
            "racks",
            List.of(group),
            WorkloadSpec.of(WorkloadSpec.Kind.STEADY, 0.1),
            UsageParameters.DEFAULT,
            MetricsSpec.DEFAULT)
        .withDuration(3600, 600);
  }

  private double distance(Scenario scenario, Policy policy) {
    RunMetrics metrics = new RunMetrics(scenario);
    SimulationListener labels =
        new SimulationListener() {
          @Override
          public void decided(Decision d, double[] preferences, int chosen) {
            seen.clear();
            for (int i = 0; i < d.candidates().size(); i++) {
              seen.add(d.candidates().racks()[i] + " " + d.candidates().zones()[i]);
            }
          }

          @Override
          public void advanced(Cluster truth, double from, double seconds) {
            for (Node node : truth.nodes()) {
              assertThat(node.rack().isEmpty())
                  .isEqualTo(scenario.nodes().get(0).serversPerRack() == 0);
            }
          }
        };
    new Simulation(scenario, 9001, context -> policy).listen(metrics).listen(labels).run();
    return metrics.values().getOrDefault(Metric.OWNER_DISTANCE, -1.0);
  }

  /** Always the first node that has room. */
  private static final class First implements Policy {
    @Override
    public String name() {
      return "first";
    }

    @Override
    public void score(Decision d, double[] preferences) {
      Arrays.setAll(preferences, i -> -i);
    }
  }

  private static Policy policy(String name) {
    return Policies.byName(name, new SplittableRandom(1));
  }

  @Test
  void decisions_see_racks_by_position_and_whole_racks_in_zones_seed9001() {
    distance(scenario(5, 2, 2), policy("default"));
    assertThat(seen)
        .containsExactly(
            "rack-0 zone-0", "rack-0 zone-0", "rack-1 zone-1", "rack-1 zone-1", "rack-2 zone-0");
  }

  @Test
  void pods_on_one_node_are_at_distance_0_seed9001() {
    assertThat(distance(scenario(4, 2, 2), new First())).isZero(); // a tenth of four fits on one
  }

  @Test
  void pods_of_one_rack_are_at_most_a_third_apart_seed9001() {
    double spread = distance(scenario(4, 4, 0), policy("round-robin"));
    assertThat(spread).isBetween(0.15, 1.0 / 3);
    assertThat(distance(scenario(4, 1, 4), policy("round-robin")))
        .isGreaterThan(2.9 * spread); // the same pairs, now in zones of their own
  }

  @Test
  void without_racks_there_is_no_distance_seed9001() {
    assertThat(distance(scenario(4, 0, 2), policy("default"))).isNaN();
  }
}
