package dev.berth.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.WorkloadSpec;
import dev.berth.simulator.workload.WorkloadSpec.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The morning burst: 60 % of all pods arrive within three minutes, faster than samples can show.
 */
class HerdingTest {
  private static final double BURST_FROM = 3600;
  private static final double BURST_TO = 3600 + 180;
  private static final int SEEDS = 6;

  private static final Scenario BURST =
      Scenario.of(
              "burst",
              List.of(NodeGroup.of("node", 10, 64_000, 256L << 30)),
              WorkloadSpec.of(Kind.BURST, 0.5),
              UsageParameters.DEFAULT,
              new MetricsSpec(60, 10, 0.05))
          .withDuration(4200, 3000);

  /**
   * The largest share of the burst's requests that one node took, as a multiple of its fair share.
   */
  private static double worstShare(String policy) {
    double worst = 0;
    for (long seed = 1; seed <= SEEDS; seed++) {
      Map<String, Double> taken = new HashMap<>();
      new Simulation(BURST, seed, new PolicyCatalog().find(policy))
          .listen(
              new SimulationListener() {
                @Override
                public void bound(Pod pod, String node, double at) {
                  if (at >= BURST_FROM && at < BURST_TO) {
                    taken.merge(node, (double) pod.cpuMilli(), Double::sum);
                  }
                }
              })
          .run();
      double all = taken.values().stream().mapToDouble(Double::doubleValue).sum();
      double most = taken.values().stream().mapToDouble(Double::doubleValue).max().orElse(0);
      worst = Math.max(worst, most / (all / 10));
    }
    return worst;
  }

  @ParameterizedTest(name = "{0}, seeds 1-6")
  @ValueSource(
      strings = {
        "predict-then-greedy",
        "ptg-blend",
        "ptg-pod",
        "default",
        "usage-plus-estimate",
      })
  void burst_does_not_herd(String policy) {
    assertThat(worstShare(policy)).as("largest multiple of a fair share").isLessThan(2);
  }

  @ParameterizedTest(name = "{0}, seeds 1-6")
  @ValueSource(strings = {"predict-then-greedy:no-ledger", "ptg-pod:no-ledger"})
  void without_the_ledger_the_same_policies_herd(String policy) {
    assertThat(worstShare(policy)).as("largest multiple of a fair share").isGreaterThan(2);
  }
}
