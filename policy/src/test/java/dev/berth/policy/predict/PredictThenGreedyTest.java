package dev.berth.policy.predict;

import static dev.berth.policy.Given.best;
import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static dev.berth.policy.Given.reversed;
import static dev.berth.policy.Given.score;
import static dev.berth.policy.Given.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.heuristic.Policies;
import dev.berth.policy.state.ClusterState;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PredictThenGreedyTest {
  private final ClusterState state = state();

  private static Policy policy(String name) {
    return Policies.byName(name, new SplittableRandom(1));
  }

  /** Places a burst of replicas between two samples; returns pods per node. */
  private static int[] burst(Policy policy, int nodes, int replicas) {
    ClusterState state =
        new ClusterState(policy.usageConfig(dev.berth.policy.usage.UsageConfig.DEFAULT));
    Candidates c = nodes(nodes, 64_000);
    state.deciding(c, 0);
    for (int i = 0; i < nodes; i++) {
      // Uneven enough that whoever looks at the last sample alone always finds the same best node.
      state.sample(cpu("node-" + i, 0, 30, 10 + 0.2 * i), 40);
    }
    int[] placed = new int[nodes];
    for (int k = 0; k < replicas; k++) {
      Pod pod = pod("replica-" + k, "web", 1000);
      int to = best(score(policy, 41, pod, c, state));
      placed[to]++;
      state.podBound(pod, "node-" + to, 41);
      c.cpuRequestedMilli()[to] += 1000;
    }
    return placed;
  }

  /** As {@link #burst}, but all are placed by one ranking less what its pods took. */
  private static int[] burstByOneRanking(int nodes, int replicas) {
    ClusterState state = state();
    Candidates c = nodes(nodes, 64_000);
    state.deciding(c, 0);
    for (int i = 0; i < nodes; i++) {
      state.sample(cpu("node-" + i, 0, 30, 10 + 0.2 * i), 40);
    }
    PredictThenGreedy policy = PredictThenGreedy.best();
    Decision decision = new Decision(41, pod("replica-0", "web", 1000), c, state);
    Forecast forecast = policy.forecast(decision);
    double[] preferences = new double[nodes];
    PredictThenGreedy.base(decision, forecast, preferences);
    double[] drops = PredictThenGreedy.drops(forecast, 1000);
    int[] placed = new int[nodes];
    for (int k = 0; k < replicas; k++) {
      int to = best(preferences);
      placed[to]++;
      preferences[to] -= drops[to];
    }
    return placed;
  }

  @Test
  void aBurstPlacedByOneRankingGoesWhereItWouldHavePodByPod() {
    int[] podByPod = burst(policy("predict-then-greedy"), 100, 100);
    int[] byRanking = burstByOneRanking(100, 100);
    int moved = 0;
    for (int i = 0; i < podByPod.length; i++) {
      moved += Math.max(0, byRanking[i] - podByPod[i]);
    }
    assertThat(moved).as(Arrays.toString(byRanking)).isLessThanOrEqualTo(5);
  }

  @Test
  void burst_does_not_herd() {
    for (String name : new String[] {"predict-then-greedy", "ptg-blend", "ptg-pod"}) {
      int[] placed = burst(policy(name), 10, 40);
      assertThat(Arrays.stream(placed).max().orElse(0)).as(name).isLessThanOrEqualTo(8);
      assertThat(Arrays.stream(placed).sum()).isEqualTo(40);
    }
    // The cause, taken away: nearly all of them on one node.
    for (String name : new String[] {"predict-then-greedy:no-ledger", "ptg-pod:no-ledger"}) {
      int[] herd = burst(policy(name), 10, 40);
      assertThat(Arrays.stream(herd).max().orElse(0)).as(name).isGreaterThan(20);
    }
  }

  @Test
  void node_order_does_not_matter() {
    Candidates c = nodes(5, 64_000);
    for (int i = 0; i < 5; i++) {
      c.cpuMilli()[i] = 32_000 + 16_000L * i;
      c.cpuRequestedMilli()[i] = 9000 - 1000L * i;
      state.sample(cpu("node-" + i, 0, 30, 3 + i % 3), 40);
    }
    Pod pod = pod("p", "web", 2000);
    for (String name : Policies.names()) {
      if (name.startsWith("ptg") || name.startsWith("predict")) {
        double[] there = score(policy(name), 50, pod, c, state);
        double[] back = score(policy(name), 50, pod, reversed(c), state);
        for (int i = 0; i < 5; i++) {
          assertThat(back[4 - i]).as(name).isCloseTo(there[i], within(1e-12));
        }
      }
    }
  }

  @Test
  void a_bigger_node_takes_the_pod_when_both_are_equally_full() {
    Candidates c = nodes(2, 32_000);
    c.cpuMilli()[1] = 96_000;
    c.cpuRequestedMilli()[0] = 16_000;
    c.cpuRequestedMilli()[1] = 48_000;
    assertThat(best(score(policy("predict-then-greedy"), 0, pod("p", "web", 4000), c, state)))
        .isEqualTo(1);
  }

  @Test
  void replicas_that_will_burst_together_are_kept_apart() {
    Candidates c = nodes(2, 64_000);
    c.cpuRequestedMilli()[0] = 8000;
    c.cpuRequestedMilli()[1] = 8000;
    state.podBound(pod("a", "web", 8000), "node-0", 0);
    state.podBound(pod("b", "db", 8000), "node-1", 0);
    Policy policy = policy("predict-then-greedy");
    assertThat(best(score(policy, 100, pod("c", "web", 1000), c, state))).isEqualTo(1);
    assertThat(best(score(policy, 100, pod("d", "db", 1000), c, state))).isEqualTo(0);
  }

  @Test
  void with_nothing_known_all_candidates_are_equal() {
    double[] scores =
        score(policy("predict-then-greedy"), 0, pod("p", "web", 1000), nodes(3, 64_000), state);
    assertThat(scores[0]).isEqualTo(scores[1]).isEqualTo(scores[2]);
  }

  @Test
  void expired_is_not_unschedulable() {
    Candidates c = nodes(2, 64_000);
    for (int i = 0; i < 2; i++) {
      state.sample(cpu("node-" + i, 0, 30, 10), 40);
    }
    c.cpuRequestedMilli()[0] = 30_000;
    double[] scores = score(policy("predict-then-greedy"), 90_000, pod("p", "web", 1000), c, state);
    assertThat(scores[0]).isFinite();
    // ClusterState alone: fewer requests, less usage expected.
    assertThat(scores[1]).isFinite().isGreaterThan(scores[0]);
  }

  @Test
  void the_increase_is_that_of_the_sum_of_squares_seed_5() {
    SplittableRandom random = new SplittableRandom(5);
    double[] u = random.doubles(6, 0.1, 0.6).toArray();
    long[] cpu = random.longs(6, 16_000, 96_000).toArray();
    double[] increase = new double[6];
    double unit = PlacementCost.increase(u, PlacementCost.shares(cpu), 2, 0.05, 1, increase);
    double std = Math.sqrt(squares(u) / 6);
    assertThat(unit).isCloseTo(std, within(1e-12));
    for (int i = 0; i < 6; i++) {
      double[] after = u.clone();
      after[i] += 2000.0 / cpu[i];
      assertThat(increase[i]).isCloseTo((squares(after) - squares(u)) / (2 * std), within(1e-9));
    }
  }

  @Test
  void hedging_is_the_increase_of_the_variance_that_an_owner_causes_seed_6() {
    SplittableRandom random = new SplittableRandom(6);
    double[] u = random.doubles(5, 0.1, 0.6).toArray();
    double[] ownerRequestFraction = random.doubles(5, 0, 0.3).toArray();
    long[] cpu = random.longs(5, 16_000, 96_000).toArray();
    double[] hedge = new double[5];
    double std = Math.sqrt(squares(u) / 5);
    PlacementCost.hedge(
        std,
        PlacementCost.shares(cpu),
        ownerRequestFraction,
        PlacementCost.mean(ownerRequestFraction),
        2000,
        0.1,
        1,
        hedge);
    for (int i = 0; i < 5; i++) {
      double[] after = ownerRequestFraction.clone();
      after[i] += 2000.0 / cpu[i];
      double grown = 0.1 * (squares(after) - squares(ownerRequestFraction));
      assertThat(hedge[i]).isCloseTo(grown / (2 * std), within(1e-9));
    }
  }

  @Test
  void overload_is_the_expected_excess_of_a_normal_forecast() {
    for (double mean : new double[] {0.9, 0.98, 1, 1.05, 1.3}) {
      double sum = 0;
      for (int k = -4000; k < 4000; k++) {
        double z = (k + 0.5) / 500;
        double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
        sum += Math.max(0, mean + 0.05 * z - 1) * density / 500;
      }
      assertThat(PlacementCost.overload(mean, 0.05)).isCloseTo(sum, within(2e-5));
    }
  }

  private static double squares(double[] values) {
    double mean = Arrays.stream(values).average().orElse(0);
    return Arrays.stream(values).map(v -> (v - mean) * (v - mean)).sum();
  }
}
