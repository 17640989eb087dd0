package dev.berth.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.simulator.experiment.EqualPain.Found;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.WorkloadSpec;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EqualPainTest {
  private static final Scenario SCENARIO =
      Scenario.of(
              "steady",
              List.of(
                  NodeGroup.of("small", 4, 16_000, 64L << 30),
                  NodeGroup.of("large", 6, 32_000, 128L << 30)),
              WorkloadSpec.of(WorkloadSpec.Kind.STEADY, 0.6),
              UsageParameters.DEFAULT,
              MetricsSpec.DEFAULT)
          .withDuration(3600, 1200);

  /** Pain that is the cube of load, or of the pods per node; a good policy feels it later. */
  private static EqualPain formula(double talent) {
    return new EqualPain(
        List.of(SCENARIO),
        "stock",
        (scenario, dial, position, run) -> {
          double turned = dial.value(position);
          double load = 0.5 * (dial == Dial.LOAD ? turned : 1 / turned);
          double felt = run.policy().equals("stock") ? load : load / talent;
          Map<Metric, Double> out = new EnumMap<>(Metric.class);
          out.put(Metric.HOT_NODE_SHARE, Math.pow(felt, 3));
          out.put(Metric.P99_LATENCY_MILLIS, Math.max(0, felt - 0.5));
          out.put(Metric.CARRIED_LOAD, load);
          return out;
        });
  }

  @Test
  void a_policy_that_feels_ten_percent_less_carries_ten_percent_more_on_nine_tenths_of_the_nodes() {
    Found load = formula(1.1).find(Dial.LOAD, Metric.HOT_NODE_SHARE, "mine", 1);
    assertThat(load.before()).isEqualTo(0.5);
    assertThat(load.after()).isCloseTo(0.55, within(0.0005));
    assertThat(load.atEnd()).isFalse();
    Found nodes = formula(1.1).find(Dial.NODES, Metric.HOT_NODE_SHARE, "mine", 1);
    assertThat(nodes.before()).isEqualTo(1);
    assertThat(nodes.after()).isCloseTo(1 / 1.1, within(0.005));
  }

  @Test
  void the_reference_carries_what_it_carries() {
    for (Dial dial : Dial.values()) {
      Found found = formula(2).find(dial, Metric.HOT_NODE_SHARE, "stock", 1);
      assertThat(found.after()).isCloseTo(found.before(), within(1e-9));
    }
  }

  @Test
  void beyond_the_dial_the_bound_is_named_as_one() {
    Found far = formula(3).find(Dial.LOAD, Metric.HOT_NODE_SHARE, "mine", 1);
    assertThat(far.atEnd()).isTrue();
    assertThat(far.after()).isCloseTo(0.7, within(1e-9));
    assertThat(formula(0.2).find(Dial.LOAD, Metric.HOT_NODE_SHARE, "mine", 1).atEnd()).isTrue();
  }

  @Test
  void a_policy_that_feels_nothing_because_its_pods_wait_carries_no_more_for_that() {
    EqualPain search =
        new EqualPain(
            List.of(SCENARIO),
            "stock",
            (scenario, dial, position, run) -> {
              double turned = dial.value(position);
              double load = 0.5 * (dial == Dial.LOAD ? turned : 1 / turned);
              boolean stock = run.policy().equals("stock");
              Map<Metric, Double> out = new EnumMap<>(Metric.class);
              out.put(Metric.HOT_NODE_SHARE, stock ? load : Math.min(load, 0.54) / 2);
              out.put(Metric.CARRIED_LOAD, stock ? load : Math.min(load, 0.54));
              return out;
            });
    Found load = search.find(Dial.LOAD, Metric.HOT_NODE_SHARE, "filter", 1);
    assertThat(load.after()).isCloseTo(0.54, within(1e-9));
    assertThat(load.atEnd()).isFalse();
    assertThat(search.find(Dial.NODES, Metric.HOT_NODE_SHARE, "filter", 1).after())
        .isCloseTo(1, within(1e-9));
  }

  @Test
  void where_half_a_node_is_rounded_up_the_same_load_still_runs() {
    Scenario five = SCENARIO.withNodes(List.of(NodeGroup.of("five", 5, 16_000, 64L << 30)));
    EqualPain search =
        new EqualPain(
            List.of(five),
            "stock",
            (scenario, dial, position, run) -> {
              double load = 0.5 * 5 / dial.at(scenario, position).nodes().get(0).count();
              return new EnumMap<>(Map.of(Metric.HOT_NODE_SHARE, load, Metric.CARRIED_LOAD, load));
            });
    Found nodes = search.find(Dial.NODES, Metric.HOT_NODE_SHARE, "stock", 1);
    assertThat(nodes.after()).isCloseTo(1, within(1e-9));
    assertThat(nodes.atEnd()).isFalse();
  }

  @Test
  void where_the_reference_has_no_such_pain_nothing_is_equal() {
    Found none = formula(1.1).find(Dial.LOAD, Metric.P99_LATENCY_MILLIS, "mine", 1);
    assertThat(none.pain()).isZero();
    assertThat(none.after()).isNaN();
  }

  @Test
  void smaller_and_fewer_nodes_leave_everything_else_alone() {
    Scenario smaller = Dial.LOAD.at(SCENARIO, 65);
    assertThat(smaller.nodes().get(1).cpuMilli()).isEqualTo(25_600);
    assertThat(smaller.nodes().get(1).memoryBytes()).isEqualTo(Math.round((128L << 30) / 1.25));
    Scenario fewer = Dial.NODES.at(SCENARIO, 8);
    assertThat(fewer.nodes()).extracting(NodeGroup::count).containsExactly(3, 4);
    assertThat(Dial.NODES.at(SCENARIO, 5)).isEqualTo(SCENARIO);
    assertThat(Dial.LOAD.at(SCENARIO, 40)).isEqualTo(SCENARIO);
  }

  @Test
  void the_same_pods_come_whatever_the_nodes_and_the_load_carried_rises_as_they_shrink_seed_42() {
    Map<Integer, Double> carried = new HashMap<>();
    for (int position : new int[] {30, 40, 50}) {
      Run run = new Run("x", "default", 42);
      carried.put(
          position,
          Experiment.run(SCENARIO, Dial.LOAD, position, run, new PolicyCatalog())
              .getOrDefault(Metric.CARRIED_LOAD, 0.0));
    }
    double own = carried.getOrDefault(40, 0.0);
    assertThat(own).isCloseTo(0.6, within(0.06));
    assertThat(carried.get(30)).isCloseTo(0.9 * own, within(1e-4));
    assertThat(carried.get(50)).isCloseTo(1.1 * own, within(1e-4));
  }

  @Test
  void at_equal_latency_taking_turns_on_unequal_nodes_carries_less_than_requests_seeds_42_to_44() {
    Map<Run, Map<Metric, Double>> done = new HashMap<>();
    EqualPain search =
        new EqualPain(
            List.of(SCENARIO),
            "default",
            (scenario, dial, position, run) ->
                done.computeIfAbsent(
                    run, r -> Experiment.run(scenario, dial, position, r, new PolicyCatalog())));
    List<Long> seeds = List.of(42L, 43L, 44L);
    for (long seed : seeds) {
      Found turns = search.find(Dial.LOAD, Metric.P99_LATENCY_MILLIS, "round-robin", seed);
      assertThat(turns.after()).as("seed " + seed).isLessThan(turns.before());
    }
    EqualPainReport report =
        new EqualPainReport(search, "default", List.of("default", "round-robin"), seeds);
    assertThat(report.csv())
        .startsWith("dial,pain,policy,seed,")
        .contains("load,p99_latency_millis,round-robin,42,");
    assertThat(report.text("berth leaderboard --equal-pain", List.of("steady")))
        .contains("## Load carried, points more than default")
        .contains("## Nodes needed, per hundred of default")
        .contains("| evictions | no such pain | no such pain |");
  }
}
