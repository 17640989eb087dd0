package dev.berth.simulator.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.experiment.Metric;
import dev.berth.simulator.experiment.RunMetrics;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.WorkloadSpec;
import dev.berth.simulator.workload.WorkloadSpec.Kind;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OracleTest {
  private static final double INF = Double.POSITIVE_INFINITY;

  private static final Scenario SCENARIO =
      Scenario.of(
          "steady",
          List.of(NodeGroup.of("node", 10, 64_000, 256L << 30)),
          WorkloadSpec.of(Kind.STEADY, 0.5),
          UsageParameters.DEFAULT,
          MetricsSpec.DEFAULT);

  private static double cost(String policy) {
    return cost(SCENARIO, policy);
  }

  private static double cost(Scenario scenario, String policy) {
    double sum = 0;
    for (long seed = 1; seed <= 6; seed++) {
      var metrics = new RunMetrics(scenario);
      new Simulation(scenario, seed, new PolicyCatalog().find(policy)).listen(metrics).run();
      sum += metrics.values().get(Metric.COST);
    }
    return sum / 6;
  }

  @Test
  void more_knowledge_costs_less_seeds_1_to_6() {
    double stock = cost("default");
    double owners = cost("oracle-owners");
    double profile = cost("oracle-profile");
    double future = cost("oracle-future");
    assertThat(cost("random")).isGreaterThan(1.3 * stock);
    assertThat(profile).isLessThan(0.75 * stock);
    assertThat(profile).isLessThan(0.97 * owners);
    assertThat(owners).isLessThan(0.8 * stock);
    assertThat(future).isLessThan(profile);
    assertThat(cost("predict-then-greedy")).isBetween(profile * 0.97, stock);
  }

  @Test
  void oracles_know_slow_nodes_and_predict_then_greedy_finds_them_out_seeds_1_to_6() {
    var old =
        new NodeGroup("old", 5, 64_000, 256L << 30, 110, 0.6, 0, 0, Map.of(), List.of(), 0, INF);
    Scenario generations =
        Scenario.of(
            "generations",
            List.of(NodeGroup.of("new", 5, 64_000, 256L << 30), old),
            WorkloadSpec.of(Kind.STEADY, 0.5),
            UsageParameters.DEFAULT,
            MetricsSpec.DEFAULT);
    double blind = cost(generations, "predict-then-greedy:no-node-speed");
    assertThat(cost(generations, "oracle-profile")).isLessThan(0.9 * blind);
    assertThat(cost(generations, "predict-then-greedy"))
        .isLessThan(0.93 * blind)
        .isLessThan(1.03 * cost(generations, "oracle-owners"));
  }

  @Test
  void told_nothing_it_is_predict_then_greedy_and_told_more_it_costs_less_seeds_1_to_6() {
    double base = cost("predict-then-greedy");
    assertThat(cost("oracle-told-0")).isEqualTo(base);
    double half = cost("oracle-told-50");
    assertThat(half).isLessThan(0.97 * base);
    assertThat(cost("oracle-told-100")).isLessThan(0.95 * half);
  }

  @Test
  void a_share_that_is_none_is_answered_with_what_to_write() {
    for (String wrong :
        List.of("oracle-told", "oracle-told-", "oracle-told-half", "oracle-told-101")) {
      assertThatThrownBy(() -> new PolicyCatalog().find(wrong))
          .hasMessageContaining(wrong)
          .hasMessageContaining("0 to 100");
    }
  }

  @Test
  void an_unknown_policy_is_answered_with_those_there_are() {
    assertThatThrownBy(() -> new PolicyCatalog().find("defualt"))
        .hasMessageContaining("unknown policy 'defualt'")
        .hasMessageContaining("oracle-profile")
        .hasMessageContaining("predict-then-greedy");
  }
}
