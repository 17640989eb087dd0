package dev.berth.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.OutcomeSpec;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.Range;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.WorkloadSpec;
import dev.berth.simulator.workload.WorkloadSpec.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reports on their way, and decisions that miss their deadline, through a whole run. */
class BooksTest {
  private static final OutcomeSpec LATE = new OutcomeSpec(new Range(20, 20), 0.1, 600, 3, false);

  private static Scenario scenario(OutcomeSpec outcomes, double timeouts) {
    return Scenario.of(
            "reports",
            List.of(NodeGroup.of("node", 10, 64_000, 256L << 30)),
            WorkloadSpec.of(Kind.CHURN, 0.5),
            UsageParameters.DEFAULT,
            MetricsSpec.DEFAULT)
        .withDuration(3600, 0)
        .withOutcomes(outcomes, timeouts);
  }

  /** Prefers nodes with few pods that the cluster state knows of. */
  private static PolicyFactory knownPods(String name) {
    return Trivial.policy(
        name, (d, i) -> -d.state().bindsSince(d.candidates().names()[i], Double.NEGATIVE_INFINITY));
  }

  private static long hash(Scenario s, String policy) {
    var hash = new DecisionHash();
    Simulation simulation = new Simulation(s, 42, knownPods(policy));
    simulation.fallback(
        Trivial.LEAST_REQUESTED.create(new PolicyFactory.Context(s, 42, simulation.cluster())));
    simulation.listen(hash).run();
    return hash.value();
  }

  @Test
  void
      late_reports_change_what_a_scorer_outside_knows_and_nothing_for_the_schedulers_own_seed_42() {
    Scenario prompt = scenario(OutcomeSpec.AT_ONCE, 0);
    Scenario late = scenario(LATE, 0.01);
    assertThat(hash(late, "usage-plus-estimate")).isEqualTo(hash(prompt, "usage-plus-estimate"));
    assertThat(hash(prompt, "mine")).isEqualTo(hash(prompt, "usage-plus-estimate"));
    assertThat(hash(late, "mine")).isNotEqualTo(hash(prompt, "mine"));
    assertThat(hash(late, "mine")).as("the same seed").isEqualTo(hash(late, "mine"));
  }

  @Test
  void the_columns_of_a_question_are_the_schedulers_own_and_stay_right_seed_42() {
    int[] behind = new int[1];
    new Simulation(
            scenario(LATE, 0),
            42,
            Trivial.policy(
                "mine",
                (d, i) -> {
                  int known =
                      d.state().bindsSince(d.candidates().names()[i], Double.NEGATIVE_INFINITY);
                  behind[0] += known < d.candidates().podCount()[i] ? 1 : 0;
                  return -(double) d.candidates().cpuRequestedMilli()[i];
                }))
        .listen(
            new SimulationListener() {
              @Override
              public void decided(Decision d, double[] preferences, int chosen) {
                // -requested was the preference: the truth at the time of the decision
                assertThat(d.candidates().cpuRequestedMilli()[chosen])
                    .isEqualTo(-(long) preferences[chosen]);
              }

              @Override
              public void advanced(Cluster truth, double from, double seconds) {
                long most =
                    truth.nodes().stream().mapToLong(Node::cpuRequestedMilli).max().orElse(0);
                long least =
                    truth.nodes().stream().mapToLong(Node::cpuRequestedMilli).min().orElse(0);
                if (from >= 600 && from < 900) { // before the first rolling update
                  assertThat(most - least).as("even by requests at %s", from).isLessThan(16_000);
                }
              }
            })
        .run();
    assertThat(behind[0]).as("the state had not heard of some pods").isPositive();
  }

  @Test
  void in_a_burst_the_first_are_heard_of_while_the_last_are_placed_seed_42() {
    Map<Double, Long> first = new HashMap<>();
    Map<Double, Long> last = new HashMap<>();
    Map<Double, Integer> decisions = new HashMap<>();
    var quick = new OutcomeSpec(new Range(0.1, 0.1), 0, 1800, 0, false);
    new Simulation(scenario(quick, 0), 42, Trivial.policy("mine", (d, i) -> 0))
        .listen(
            new SimulationListener() {
              @Override
              public void decided(Decision d, double[] preferences, int chosen) {
                first.putIfAbsent(d.now(), d.state().binds());
                last.put(d.now(), d.state().binds());
                decisions.merge(d.now(), 1, Integer::sum);
              }
            })
        .run();
    assertThat(decisions.values()).anyMatch(n -> n > 14);
    decisions.forEach( // a hundred pods a second, reports after a tenth of one
        (at, n) ->
            assertThat(last.get(at) - first.get(at))
                .as("%d pods at %s", n, at)
                .isBetween((long) Math.max(0, n - 12), (long) Math.max(0, n - 10)));
  }

  @Test
  void the_more_pods_at_once_the_more_go_to_the_stock_profile_seed_42() {
    Scenario s = scenario(OutcomeSpec.AT_ONCE, 0.02);
    Map<Double, Integer> bound = new HashMap<>();
    Map<Double, Integer> decided = new HashMap<>();
    Simulation simulation = new Simulation(s, 42, Trivial.policy("mine", (d, i) -> 0));
    assertThatThrownBy(() -> new Simulation(s, 42, Trivial.policy("mine", (d, i) -> 0)).run())
        .hasMessageContaining("give the run a fallback");
    simulation
        .fallback(
            Trivial.LEAST_REQUESTED.create(new PolicyFactory.Context(s, 42, simulation.cluster())))
        .listen(
            new SimulationListener() {
              @Override
              public void decided(Decision d, double[] preferences, int chosen) {
                decided.merge(d.now(), 1, Integer::sum);
              }

              @Override
              public void bound(Pod pod, String node, double at) {
                bound.merge(at, 1, Integer::sum);
              }
            })
        .run();
    double[] expected = new double[2];
    double[] seen = new double[2];
    bound.forEach(
        (at, n) -> {
          int late = n - decided.getOrDefault(at, 0);
          if (n == 1) {
            assertThat(late).as("a pod alone").isZero();
          }
          int size = n > 15 ? 1 : 0;
          expected[size] += n * Math.min(1, 0.02 * (n - 1));
          seen[size] += late;
        });
    assertThat(seen[0]).isBetween(0.7 * expected[0], 1.3 * expected[0]);
    assertThat(seen[1]).isBetween(0.7 * expected[1], 1.3 * expected[1]);
    assertThat(expected[1]).isGreaterThan(20);
  }
}
