package dev.berth.policy.state;

import static dev.berth.policy.Given.GIB;
import static dev.berth.policy.Given.best;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.score;
import static dev.berth.policy.Given.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.heuristic.Policies;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.usage.UsageConfig;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Four nodes of 8 GiB. */
class NodeMemoryTest {
  private final Candidates nodes = nodes(4, 64_000);
  private final ClusterState state = state();

  private static Pod pod(String uid, double gib) {
    return Pod.of(uid, "web", 1000, Math.round(gib * GIB));
  }

  private void sample(int node, double t, double cores, double gib) {
    state.sample(
        new NodeSample("node-" + node, t - 30, t, cores, gib * GIB, Double.NaN, Double.NaN), t);
  }

  private double held(int node) {
    return state.expectedMemory(nodes, pod("any", 1)).before()[node] / GIB;
  }

  private double ratio() {
    return state.expectedMemory(nodes, pod("any", 1)).pod() / GIB;
  }

  /** Scores for a pod of 1 GiB on nodes that use so many cores; a pod on each holds so many GiB. */
  private double[] scores(String name, double[] cores, double[] gib) {
    Policy policy = Policies.byName(name, new SplittableRandom(1));
    ClusterState known = new ClusterState(policy.usageConfig(UsageConfig.DEFAULT));
    for (int n = 0; n < 4; n++) {
      double bytes = gib[n] * GIB;
      known.podBound(Pod.of("db-" + n, "db", 1000, Math.round(bytes)), "node-" + n, -100);
      known.sample(new NodeSample("node-" + n, 0, 30, cores[n], bytes, Double.NaN, Double.NaN), 30);
    }
    return score(policy, 40, pod("p", 1), nodes, known);
  }

  @ParameterizedTest(name = "a sample of {0} bytes, pods that request {1}")
  @CsvSource({"1e18, 6442450944", "1e300, 6442450944", "1.6e9, 1152921504606846976"})
  void what_is_wrong_with_one_node_does_not_decide_about_the_others(double held, long requested) {
    double usual = ratioWith(1.6e9, 6L * GIB);
    assertThat(ratioWith(held, requested)).isBetween(0.5 * usual, 2.2 * usual);
  }

  /** Of a pod's request, when the first of four nodes is said to hold and to run so much. */
  private double ratioWith(double held, long requested) {
    ClusterState known = new ClusterState(UsageConfig.DEFAULT);
    for (int n = 0; n < 4; n++) {
      long request = n == 0 ? requested : 6L * GIB;
      known.podBound(Pod.of("db-" + n, "db", 1000, request), "node-" + n, -100);
      double bytes = n == 0 ? held : 2.0 * GIB;
      known.sample(new NodeSample("node-" + n, 0, 30, 20, bytes, Double.NaN, Double.NaN), 30);
    }
    return known.expectedMemory(nodes, pod("any", 1)).pod() / GIB;
  }

  @Test
  void a_pod_larger_than_every_node_still_goes_where_load_is_least() {
    for (int n = 1; n < 4; n++) {
      nodes.cpuRequestedMilli()[n] = 20_000;
    }
    Policy policy = Policies.byName("predict-then-greedy", new SplittableRandom(1));
    ClusterState known = new ClusterState(UsageConfig.DEFAULT);
    for (int n = 0; n < 4; n++) {
      double cores = n == 0 ? 2 : 20;
      known.sample(
          new NodeSample("node-" + n, 0, 30, cores, 2.0 * GIB, Double.NaN, Double.NaN), 30);
    }
    Pod huge = Pod.of("huge", "web", 1000, 1L << 60);
    assertThat(best(score(policy, 40, huge, nodes, known))).isZero();
  }

  @Test
  void the_idlest_node_is_not_taken_when_its_memory_would_not_do() {
    nodes.cpuRequestedMilli()[0] = 2000;
    for (int n = 1; n < 4; n++) {
      nodes.cpuRequestedMilli()[n] = 20_000;
    }
    double[] cores = {2, 20, 20, 20};
    double[] gib = {7.5, 4, 4, 4};
    assertThat(best(scores("predict-then-greedy", cores, gib))).isNotZero();
    assertThat(best(scores("predict-then-greedy:no-memory", cores, gib)))
        .as("the cause, taken away")
        .isZero();
  }

  @Test
  void however_idle_a_node_is_no_score_pushes_it_over_its_memory() {
    for (int n = 1; n < 4; n++) {
      nodes.cpuRequestedMilli()[n] = 60_000;
    }
    Pod large = Pod.of("large", "web", 30_000, GIB / 4);
    ClusterState known = new ClusterState(UsageConfig.DEFAULT);
    for (int n = 0; n < 4; n++) {
      double bytes = n == 0 ? 8.6 * GIB : 4 * GIB;
      known.podBound(Pod.of("db-" + n, "db", 1000, Math.round(bytes)), "node-" + n, -100);
      known.sample(
          new NodeSample("node-" + n, 0, 30, n == 0 ? 1 : 55, bytes, Double.NaN, Double.NaN), 30);
    }
    PredictThenGreedy policy = PredictThenGreedy.best();
    double[] base = new double[4];
    Decision d = new Decision(40, large, nodes, known);
    PredictThenGreedy.base(d, policy.forecast(d), base);
    assertThat(best(base)).as("the risk alone is outweighed").isZero();
    double[] scores = score(policy, 40, large, nodes, known);
    assertThat(scores[0]).isLessThan(Math.min(scores[1], Math.min(scores[2], scores[3])));
    for (int n = 1; n < 4; n++) {
      known.podBound(Pod.of("more-" + n, "db", 1000, 6 * GIB), "node-" + n, 31);
    }
    assertThat(best(score(policy, 40, large, nodes, known))).as("all would be over it").isZero();
  }

  @Test
  void a_pod_that_will_hold_more_than_a_node_has_no_room_on_it_however_empty_it_is() {
    sample(0, 30, 1, 0.1);
    Decision d = new Decision(40, pod("large", 14), nodes, state);
    assertThat(PredictThenGreedy.best().forecast(d).memoryRoom()[0]).isLessThan(1);
  }

  @Test
  void where_memory_is_ample_or_unknown_it_has_no_say() {
    double[] cores = {5, 6, 7, 8};
    double[] gib = {1, 3, 5.5, Double.NaN};
    assertThat(scores("predict-then-greedy", cores, gib))
        .isEqualTo(scores("predict-then-greedy:no-memory", cores, gib));
  }

  @Test
  void pods_that_came_since_the_sample_count_by_what_pods_hold_of_their_requests() {
    state.podBound(pod("early", 2), "node-0", 0);
    sample(0, 100, 5, 4);
    assertThat(held(0)).isEqualTo(4);
    assertThat(ratio()).as("twice its request, and a tenth of the node at 1").isEqualTo(4.8 / 2.8);
    state.podBound(pod("late", 1), "node-0", 101);
    assertThat(held(0)).isCloseTo(4 + ratio(), within(1e-9));
    sample(0, 131, 5, 6);
    assertThat(held(0)).as("it is in the sample now").isCloseTo(6, within(1e-9));
  }

  @Test
  void a_pod_that_had_just_come_when_the_sample_was_taken_is_seen_in_part() {
    state.podBound(pod("half", 2), "node-0", 85);
    sample(0, 100, 5, 1);
    assertThat(held(0)).isCloseTo(1 + ratio(), within(1e-9));
  }

  @Test
  void pods_that_left_are_taken_off_once() {
    state.podBound(pod("a", 2), "node-0", 0);
    state.podBound(pod("b", 2), "node-0", 0);
    sample(0, 100, 5, 6);
    state.podGone("a", 101);
    assertThat(held(0)).isCloseTo(6 - 2 * ratio(), within(1e-9));
    state.podGone("b", 102);
    sample(0, 101.5, 5, 2);
    assertThat(held(0)).as("the sample saw b, not a").isCloseTo(2 - 2 * ratio(), within(1e-9));
    sample(0, 130, 5, 0.2);
    assertThat(held(0)).isCloseTo(0.2, within(1e-9));
  }

  @Test
  void a_reservation_that_is_taken_back_takes_nothing_of_what_its_node_holds() {
    state.podBound(pod("waits for its volume", 2), "node-0", 0);
    sample(0, 100, 5, 4);
    state.podBound(pod("reserved since", 1), "node-0", 101);
    state.podTakenBack("waits for its volume", 102);
    state.podTakenBack("reserved since", 102);
    assertThat(held(0)).as("it never held anything there").isCloseTo(4, within(1e-9));
  }

  @Test
  void memory_that_no_pod_accounts_for_does_not_make_pods_larger_without_end() {
    sample(0, 30, 5, 7);
    assertThat(ratio()).isEqualTo(3);
  }

  @Test
  void a_node_without_memory_in_its_samples_is_taken_by_its_requests() {
    sample(0, 30, 5, Double.NaN);
    nodes.memoryRequestedBytes()[0] = 3 * GIB;
    assertThat(held(0)).isEqualTo(3);
  }
}
