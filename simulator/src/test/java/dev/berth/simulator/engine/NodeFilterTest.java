package dev.berth.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.WorkloadSpec;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeFilterTest {
  /** Lets pods on even nodes only, and on none before a quarter of an hour; hears of its binds. */
  private static final class Picky implements Policy, NodeFilter, SimulationListener {
    private final List<String> nodes = new ArrayList<>();
    private double firstBind = Double.NaN;

    @Override
    public String name() {
      return "picky";
    }

    @Override
    public void score(Decision decision, double[] preferences) {}

    @Override
    public boolean admits(Pod pod, Node node, double now) {
      return now >= 900 && node.name().matches(".*[02468]");
    }

    @Override
    public void bound(Pod pod, String node, double at) {
      firstBind = Double.isNaN(firstBind) ? at : firstBind;
      nodes.add(node);
    }
  }

  @Test
  void a_pod_that_a_policys_own_filter_refuses_waits_until_it_is_let_in() {
    Scenario scenario =
        Scenario.of(
                "picky",
                List.of(NodeGroup.of("node", 10, 64_000, 256L << 30)),
                WorkloadSpec.of(WorkloadSpec.Kind.STEADY, 0.2),
                UsageParameters.DEFAULT,
                MetricsSpec.DEFAULT)
            .withDuration(1800, 0);
    Picky picky = new Picky();
    int[] waiting = new int[1];
    new Simulation(scenario, 42, context -> picky)
        .listen(
            new SimulationListener() {
              @Override
              public void advanced(Cluster truth, double from, double seconds) {
                waiting[0] = Math.max(waiting[0], truth.pending());
              }
            })
        .run();
    assertThat(waiting[0]).isPositive();
    assertThat(picky.firstBind).isEqualTo(900);
    assertThat(picky.nodes).isNotEmpty().allSatisfy(node -> assertThat(node).matches(".*[02468]"));
  }
}
