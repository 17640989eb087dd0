package dev.berth.policy.heuristic;

import static dev.berth.policy.Given.GIB;
import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static dev.berth.policy.Given.score;
import static dev.berth.policy.Given.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every expected score is worked out by hand from the formula in the policy's own source. */
class HeuristicScoresTest {
  private final ClusterState state = state();
  private final Pod oneCore = pod("p", "web", 1000);

  private static Policy policy(String name) {
    return Policies.byName(name, new SplittableRandom(1));
  }

  /** Two nodes of 10 cores and 8 GiB; 2 cores and 3 GiB are requested of the first. */
  private static Candidates two() {
    Candidates c = nodes(2, 10_000);
    c.cpuRequestedMilli()[0] = 2000;
    c.memoryRequestedBytes()[0] = 3 * GIB;
    c.podCount()[0] = 2;
    return c;
  }

  @Test
  void least_and_most_allocated() {
    // With the pod: 3 of 10 cores and 4 of 8 GiB; on the empty node 1 of 10 and 1 of 8.
    assertThat(score(policy("least-allocated"), 0, oneCore, two(), null)).containsExactly(60, 88);
    assertThat(score(policy("most-allocated"), 0, oneCore, two(), null)).containsExactly(40, 11);
    assertThat(score(policy("la"), 0, oneCore, two(), null)).containsExactly(60, 88);
    assertThat(score(policy("ma"), 0, oneCore, two(), null)).containsExactly(40, 11);
  }

  @Test
  void balanced_allocation_and_the_default_profile() {
    Candidates c = nodes(1, 4000);
    c.cpuRequestedMilli()[0] = 1000;
    c.memoryRequestedBytes()[0] = 4 * GIB;
    Pod cpuOnly = Pod.of("p", "web", 1000, 0);
    // Before |1/4 - 1/2| / 2 = 1/8 -> 87, with the pod perfectly even -> 100: 50 + (50 + 13) / 2.
    assertThat(score(policy("balanced-allocation"), 0, cpuOnly, c, null)).containsExactly(81);
    // LeastAllocated assumes 200 MiB: (50 + (8192 - 4296) / 8192) / 2 = (50 + 47) / 2.
    assertThat(score(policy("default"), 0, cpuOnly, c, null)).containsExactly(81 + 48);
  }

  @Test
  void default_spread_adds_twice_the_normalised_topology_score() {
    Candidates c = nodes(2, 10_000);
    state.podBound(pod("a", "web", 1000), "node-0", 0);
    state.podBound(pod("b", "web", 1000), "node-0", 0);
    double[] plain = score(policy("default"), 1, oneCore, c, state);
    double[] spread = score(policy("default-spread"), 1, oneCore, c, state);
    // Raw: 2 ln 4 + 2 = 4.8 -> 5 and 2; normalised 100 (5 + 2 - s) / 5: 40 and 100.
    assertThat(spread[0] - plain[0]).isEqualTo(80);
    assertThat(spread[1] - plain[1]).isEqualTo(200);
  }

  @Test
  void hot_value_counts_recent_binds() {
    state.sample(cpu("node-0", 0, 30, 2), 40);
    for (int i = 0; i < 5; i++) {
      state.podBound(pod("p" + i, "web", 100), "node-0", i < 3 ? 100 : 290);
    }
    // 80 - 10 (5 / 5 + 2 / 2)
    assertThat(score(policy("hot-value"), 300, oneCore, nodes(2, 10_000), state))
        .containsExactly(60, 0);
  }

  @Test
  void usage_plus_estimate_adds_85_percent_of_what_the_sample_cannot_show() {
    state.podBound(pod("old", "web", 4000), "node-0", 0);
    state.sample(cpu("node-0", 0, 30, 2), 40);
    state.podBound(pod("new", "web", 1000), "node-0", 45);
    // 2000 + 0.85 (1000 + 1000) = 3700 of 10,000
    assertThat(score(policy("usage-plus-estimate"), 50, oneCore, nodes(2, 10_000), state))
        .containsExactly(63, 0);
  }

  @Test
  void round_robin_takes_turns_whatever_the_order_of_the_candidates() {
    Policy robin = policy("round-robin");
    List<String> taken = new ArrayList<>();
    Candidates c = nodes(3, 1000);
    Candidates backwards = dev.berth.policy.Given.reversed(c);
    for (int i = 0; i < 6; i++) {
      Candidates now = i % 2 == 0 ? c : backwards;
      taken.add(now.names()[dev.berth.policy.Given.best(score(robin, i, oneCore, now, null))]);
    }
    assertThat(taken).containsExactly("node-0", "node-1", "node-2", "node-0", "node-1", "node-2");
  }

  @Test
  void lc_takes_the_fewest_connections_and_counts_pods_in_flight() {
    Candidates c = nodes(3, 10_000);
    double[] connections = {30, 20, 100};
    for (int i = 0; i < 3; i++) {
      state.sample(new NodeSample("node-" + i, 0, 30, 1, 1, connections[i], 5), 40);
      c.podCount()[i] = 5;
    }
    assertThat(score(policy("lc"), 40, oneCore, c, state)).containsExactly(-30, -20, -100);
    // 150 connections of 15 - 2 settled pods: two pods on their way bring 23.
    c.pendingPods()[1] = 2;
    double[] later = score(policy("lc"), 40, oneCore, c, state);
    assertThat(later[0]).isGreaterThan(later[1]);
  }

  @Test
  void p0_keeps_the_soft_limit_first_then_the_hard_one_then_consolidates() {
    Candidates c = nodes(4, 10_000);
    double[] millis = {50, 8, 20, 9};
    for (int i = 0; i < 4; i++) {
      state.sample(new NodeSample("node-" + i, 0, 30, 0.2, 1, 1, millis[i]), 40);
    }
    c.podCount()[1] = 1;
    c.cpuRequestedMilli()[1] = 100;
    Pod limited =
        new Pod(
            "p", "p", "default", "web", 0, 100, GIB, GpuRequest.NONE, new LatencyLimits(12, 30));
    double[] scores = score(policy("p0"), 40, limited, c, state);
    // 8 ms on a used node, 9 ms on an empty one, 20 ms within the hard limit, 50 ms above it.
    assertThat(scores[1]).isGreaterThan(scores[3]);
    assertThat(scores[3]).isGreaterThan(scores[2]);
    assertThat(scores[2]).isGreaterThan(scores[0]);
  }

  private static Pod limited(String uid, double soft, double hard) {
    LatencyLimits limits = new LatencyLimits(soft, hard);
    return new Pod(uid, uid, "default", "web", 0, 100, GIB, GpuRequest.NONE, limits);
  }

  @Test
  void p0_keeps_pods_without_limits_away_from_pods_that_would_miss_theirs() {
    // Both nodes are half in use; 12 ms are reached at two thirds.
    Candidates c = nodes(2, 10_000);
    for (int i = 0; i < 2; i++) {
      for (int k = 0; k < 5; k++) {
        state.podBound(
            i == 0 ? limited("l" + k, 12, 30) : pod("u" + k, "batch", 100), "node-" + i, 0);
      }
      c.podCount()[i] = 5;
      c.cpuRequestedMilli()[i] = 500;
    }
    state.deciding(c, 0);
    for (int i = 0; i < 2; i++) {
      for (double t = 0; t < 600; t += 30) {
        state.sample(new NodeSample("node-" + i, t, t + 30, 5.5, 1, 1, 4 / 0.45), t + 35);
      }
    }
    Pod plain = pod("new", "batch", 2000);
    double[] scores = score(policy("p0"), 605, plain, c, state);
    assertThat(scores[1]).isGreaterThan(scores[0]);
    // The same to pods with limits as to one without: nobody is there to be harmed.
    c.cpuRequestedMilli()[0] = 400;
    for (int k = 0; k < 5; k++) {
      state.podGone("l" + k, 605);
    }
    double[] harmless = score(policy("p0"), 605, plain, c, state);
    assertThat(harmless[0]).isGreaterThan(harmless[1]);
  }

  @Test
  void p0_consolidates_where_limits_are_in_no_danger_and_where_there_are_none() {
    Candidates c = nodes(2, 10_000);
    state.deciding(c, 0);
    for (int i = 0; i < 2; i++) {
      state.sample(new NodeSample("node-" + i, 0, 30, 0.2, 1, 1, 4.08), 40);
    }
    c.podCount()[1] = 1;
    c.cpuRequestedMilli()[1] = 100;
    for (Pod pod : new Pod[] {limited("p", 12, 30), oneCore}) {
      double[] scores = score(policy("p0"), 40, pod, c, state);
      assertThat(scores[1]).isGreaterThan(scores[0]);
    }
  }

  @Test
  void missing_is_not_best() {
    // Three nodes with the same pods; what the third one uses is not known.
    Candidates c = nodes(3, 10_000);
    for (int i = 0; i < 3; i++) {
      c.cpuRequestedMilli()[i] = 5000;
      state.podBound(pod("on-" + i, "db", 5000), "node-" + i, 0);
    }
    state.deciding(c, 0);
    state.sample(cpu("node-0", 30, 60, 2), 70);
    state.sample(cpu("node-1", 30, 60, 4), 70);
    for (String name : Policies.names()) {
      double[] scores = score(policy(name), 70, oneCore, c, state);
      assertThat(scores).as(name).doesNotContain(Double.NaN);
      if (!name.equals("random") && !name.equals("round-robin")) {
        assertThat(scores[2]).as(name).isLessThanOrEqualTo(Math.max(scores[0], scores[1]));
      }
    }
  }

  @Test
  void an_unknown_name_is_answered_with_all_names() {
    assertThatThrownBy(() -> policy("best-effort"))
        .hasMessageContaining("unknown policy 'best-effort'")
        .hasMessageContaining("usage-plus-estimate")
        .hasMessageContaining("predict-then-greedy");
    assertThatThrownBy(() -> policy("default:no-ledger"))
        .hasMessageContaining("only predict-then-greedy policies have parts to take away");
    assertThatThrownBy(() -> policy("ptg-blend:no-luck"))
        .hasMessageContaining("'no-luck' is not no- and one of")
        .hasMessageContaining("owner-ratios");
  }
}
