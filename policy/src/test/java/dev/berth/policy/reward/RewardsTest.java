package dev.berth.policy.reward;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Decision;
import dev.berth.policy.Given;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuColumns;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.reward.Measurement.Samples;
import dev.berth.policy.state.ClusterState;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every term against numbers worked out by hand; nodes have one core unless said otherwise. */
final class RewardsTest {
  private static final double NAN = Double.NaN;

  static List<String> terms() {
    return Rewards.names();
  }

  // --- what is measured ------------------------------------------------------------------------

  /** Usage 0.2 and 0.4, the pod takes 0.1: mean 0.3, standard deviation 0.1. */
  @Test
  void balance_is_the_growth_of_the_standard_deviation() {
    // (2 * 0.1 * -0.1 + 0.01 / 2) / 0.2 and (2 * 0.1 * 0.1 + 0.01 / 2) / 0.2
    assertThat(new Balance().increase(usage(0.1, 0.2, 0.4)))
        .containsExactly(new double[] {-0.075, 0.125}, within(1e-12));
    // less their mean, with the sign turned
    assertThat(reward("balance", usage(0.1, 0.2, 0.4)))
        .containsExactly(new double[] {0.1, -0.1}, within(1e-12));
  }

  /** Far above capacity the normal error does not matter: the pod's share is the excess. */
  @Test
  void overload_counts_demand_above_capacity_only() {
    assertThat(new Overload().increase(usage(0.1, 0.2, 1.5)))
        .containsExactly(new double[] {0, 0.1}, within(1e-9));
    assertThat(reward("overload=10", usage(0.1, 0.2, 1.5)))
        .containsExactly(new double[] {0.5, -0.5}, within(1e-8));
  }

  /** Four and two connections, the pod brings one: in units of the mean 4/3, 2/3 and 1/3. */
  @Test
  void connections_are_spread_as_usage_is() {
    Samples s = new Samples(new double[] {4, 2}, 1, unknown(2), unknown(2));
    // std 1/3; (2 * 1/3 * 1/3 + 1/9 / 2) / (2/3) = 5/12 and (2 * 1/3 * -1/3 + 1/18) / (2/3) = -1/4
    assertThat(new Connections().increase(usage(0.1, 0, 0).with(s)))
        .containsExactly(new double[] {5.0 / 12, -1.0 / 4}, within(1e-12));
  }

  /**
   * 10 ms at usage 0.5; with the pod 0.75, so 10 * 0.5 / 0.25 = 20 ms: 60 % above a soft limit of
   * 12.5 and, weighted tenfold, 25 % above a hard one of 16.
   */
  @Test
  void latency_is_the_risk_above_the_soft_limit_and_tenfold_above_the_hard_one() {
    Samples s = new Samples(unknown(2), 0, new double[] {10, 4}, new double[] {0.5, 0.1});
    Measurement m = limited(20, NAN, 0.25, 0.5, 0.1).with(s);
    assertThat(new Latency().increase(m)).containsExactly(new double[] {0.5, 0}, within(1e-3));
    Measurement hard = limited(NAN, 20, 0.25, 0.5, 0.1).with(s);
    assertThat(new Latency().increase(hard)).containsExactly(new double[] {5, 0}, within(1e-3));
  }

  /** The same nodes, 5 ms and 3.6 ms when idle: 20 ms are reached at 0.75. */
  @Test
  void a_pod_without_limits_is_rewarded_by_what_it_does_to_those_that_have_them() {
    Samples s = new Samples(unknown(2), 0, new double[] {10, 4}, new double[] {0.5, 0.1});
    Measurement.Limits three =
        new Measurement.Limits(
            LatencyLimits.NONE, List.of(Map.of(new LatencyLimits(20, NAN), 3), Map.of()));
    Measurement m = usage(0.25, 0.5, 0.1);
    Measurement shared =
        Measurement.of(
                three, m.cpuMilli(), m.power(), m.podCount(), m.load(), m.expected(), m.podCores())
            .with(s);
    assertThat(new Latency().increase(shared))
        .containsExactly(new double[] {3 * 0.5, 0}, within(1e-3));
    assertThat(reward("latency", shared)).containsExactly(new double[] {-0.75, 0.75}, within(1e-3));
    assertThat(reward("latency", m.with(s))).containsOnly(NAN); // nobody has limits
  }

  /** Switching a node on costs its idle half; a node in use only climbs its curve. */
  @Test
  void energy_is_the_power_of_the_nodes_in_use() {
    Measurement m = usage(0.25, 0, 0.5);
    m.podCount()[1] = 3;
    double quarter = 0.5 * (0.5 - Math.pow(0.25, 1.4));
    double half = 0.5 * (1 - Math.pow(0.5, 1.4));
    double more = 0.5 * (1.5 - Math.pow(0.75, 1.4));
    assertThat(new Energy().increase(m))
        .containsExactly(new double[] {0.5 + quarter, more - half}, within(1e-12));
  }

  // --- what is known at once -------------------------------------------------------------------

  /** Half full, empty and a quarter full; the pod asks for a quarter. */
  @Test
  void pack_counts_nodes_opened_and_prefers_the_fullest() {
    Candidates c = nodes();
    double[] increase = new Pack().increase(decision(c, Given.state()));
    assertThat(increase)
        .containsExactly(
            new double[] {-0.25 * (1 + 0.25), 1 - 0.0625, -0.25 * (0.5 + 0.25)}, within(1e-12));
  }

  /** Two pods on node 0 and one on node 1 of the same rack; node 2 stands in another zone. */
  @Test
  void locality_is_the_mean_distance_to_the_pods_of_the_owner() {
    Candidates c = nodes();
    label(c, "a", "r0", "r0", "r1");
    c.zones()[2] = "b";
    double[] increase = new Locality().increase(decision(c, ownerOn(0, 0, 1)));
    // two at distance 0, one at 1/3; two at 1/3, one at 0; three at 1
    assertThat(increase).containsExactly(new double[] {1.0 / 9, 2.0 / 9, 1}, within(1e-12));
    c.zones()[2] = "a"; // another rack of the same zone
    assertThat(new Locality().increase(decision(c, ownerOn(0, 0, 1)))[2])
        .isCloseTo(2.0 / 3, within(1e-12));
  }

  @Test
  void a_negative_weight_spreads_an_owner() {
    Candidates c = nodes();
    label(c, "a", "r0", "r0", "r1");
    double[] close = Rewards.parse("locality").immediateRewards(decision(c, ownerOn(0)));
    double[] spread = Rewards.parse("locality=-1").immediateRewards(decision(c, ownerOn(0)));
    assertThat(Given.best(close)).isEqualTo(0);
    assertThat(Given.best(spread)).isEqualTo(2);
  }

  @Test
  void the_first_pod_of_an_owner_and_a_node_without_a_rack_have_no_locality() {
    Candidates c = nodes();
    label(c, "a", "r0", "", "r1");
    assertThat(new Locality().increase(decision(c, Given.state()))).containsOnly(NAN);
    double[] increase = new Locality().increase(decision(c, ownerOn(0)));
    assertThat(increase[1]).isNaN();
    assertThat(increase[0]).isLessThan(increase[2]);
  }

  /**
   * Only half cards are usual. On two cards with 1000 and 500 free a half on the second leaves
   * nothing unusable; on one card with 700 free it leaves 200 milli, where 700 were usable.
   */
  @Test
  void fragmentation_is_what_the_usual_pods_can_no_longer_use() {
    Decision d = gpuDecision();
    assertThat(new GpuFragmentation().increase(d))
        .containsExactly(new double[] {0, 0.2}, within(1e-12));
  }

  // --- what holds for all ----------------------------------------------------------------------

  /** Two candidates alike but for what the pod meets there must not earn the same. */
  @ParameterizedTest
  @MethodSource("terms")
  void action_changes_reward(String term) {
    double[] rewards = rewardOfUnlike(term);
    assertThat(rewards[0] - rewards[1]).isNotCloseTo(0, within(1e-3));
    assertThat(Arrays.stream(rewards).sum()).isCloseTo(0, within(1e-12));
  }

  /** A measurement that is missing earns nothing, and leaves the others their difference. */
  @ParameterizedTest
  @CsvSource({"balance", "overload", "energy", "connections", "latency"})
  void unknown_is_neutral(String term) {
    Samples s =
        new Samples(
            new double[] {9, NAN, 2}, 1, new double[] {30, NAN, 8}, new double[] {0.8, NAN, 0.2});
    Measurement m =
        Measurement.of(
                Measurement.Limits.alone(new LatencyLimits(10, 20), 3),
                new long[] {1000, 1000, 1000},
                new long[] {1000, 1000, 1000},
                new int[] {0, 1, 1},
                new double[] {0.9, NAN, 0.2},
                new double[] {0.5, 0.5, 0.5},
                0.1)
            .with(s);
    double[] rewards = reward(term, m);
    assertThat(rewards[1]).isNaN();
    assertThat(rewards[2]).isGreaterThan(rewards[0]);
    s.connections()[0] = NAN;
    s.latencyMillis()[0] = NAN;
    m.load()[0] = NAN;
    assertThat(reward(term, m)).containsOnly(NAN); // one candidate alone is no comparison
  }

  @Test
  void a_term_that_knows_nothing_leaves_the_others_alone() {
    Measurement m = usage(0.1, 0.2, 0.4);
    assertThat(reward("balance=1,connections=1", m)).containsExactly(reward("balance", m));
  }

  @Test
  void weights_add_up() {
    Measurement m = usage(0.1, 0.2, 1.5);
    double[] one = reward("balance=1,overload=10", m);
    double[] balance = reward("balance", m);
    double[] overload = reward("overload", m);
    for (int i = 0; i < one.length; i++) {
      assertThat(one[i]).isCloseTo(balance[i] + 10 * overload[i], within(1e-12));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "blance=1 | unknown reward 'blance': the terms are balance, overload, pack",
        "pack=much | weight of reward pack is 'much'",
        "pack=NaN | weight of reward pack must be a number",
        "pack=0 | need a term whose weight is not 0",
      })
  void a_wrong_setting_is_named(String text, String message) {
    assertThatThrownBy(() -> Rewards.parse(text)).hasMessageContaining(message);
  }

  @Test
  void settings_are_read_back_as_written() {
    Rewards r = Rewards.parse("locality=-0.5, pack");
    assertThat(r.toString()).isEqualTo("pack=1.0,locality=-0.5");
    assertThat(Rewards.parse(r.toString())).isEqualTo(r);
  }

  // --- given -----------------------------------------------------------------------------------

  private static double[] rewardOfUnlike(String term) {
    Candidates c = nodes();
    label(c, "a", "r0", "r1", "r1");
    Decision d = term.equals("fragmentation") ? gpuDecision() : decision(c, ownerOn(0));
    Rewards rewards = Rewards.parse(term);
    int n = d.candidates().size();
    Samples s = new Samples(ramp(n, 10, 50), 5, ramp(n, 5, 50), ramp(n, 0.3, 0.9));
    Measurement m =
        Measurement.of(
                Measurement.Limits.alone(new LatencyLimits(20, 40), n),
                d.candidates().cpuMilli(),
                d.candidates().cpuMilli(),
                d.candidates().podCount(),
                ramp(n, 0.3, 1.1),
                ramp(n, 0.3, 1.1),
                0.1)
            .with(s);
    return rewards.of(rewards.immediateRewards(d), m);
  }

  private static double[] ramp(int n, double from, double step) {
    double[] out = new double[n];
    Arrays.setAll(out, i -> from + i * (step - from));
    return out;
  }

  private static double[] reward(String rewards, Measurement m) {
    return Rewards.parse(rewards).of(new double[m.load().length], m);
  }

  private static double[] unknown(int n) {
    double[] out = new double[n];
    Arrays.fill(out, NAN);
    return out;
  }

  private static Measurement usage(double podCores, double... load) {
    return limited(NAN, NAN, podCores, load);
  }

  private static Measurement limited(double soft, double hard, double pod, double... load) {
    long[] cpu = new long[load.length];
    Arrays.fill(cpu, 1000);
    return Measurement.of(
        Measurement.Limits.alone(new LatencyLimits(soft, hard), load.length),
        cpu,
        cpu,
        new int[load.length],
        load,
        load,
        pod);
  }

  /** Three nodes of one core: half full, empty, a quarter full. */
  private static Candidates nodes() {
    Candidates c = Given.nodes(3, 1000);
    c.cpuRequestedMilli()[0] = 500;
    c.cpuRequestedMilli()[2] = 250;
    c.podCount()[0] = 2;
    c.podCount()[2] = 1;
    return c;
  }

  private static void label(Candidates c, String zone, String... racks) {
    Arrays.fill(c.zones(), zone);
    System.arraycopy(racks, 0, c.racks(), 0, racks.length);
  }

  private static ClusterState ownerOn(int... nodes) {
    ClusterState state = Given.state();
    for (int i = 0; i < nodes.length; i++) {
      state.podBound(Given.pod("p" + i, "web", 250), "node-" + nodes[i], 0);
    }
    state.sample(new NodeSample("node-0", 0, 30, 0.2, NAN, NAN, NAN), 31);
    return state;
  }

  private static Decision decision(Candidates c, ClusterState state) {
    return new Decision(60, Given.pod("new", "web", 250), c, state);
  }

  private static Decision gpuDecision() {
    Candidates plain = Given.nodes(2, 8000);
    Candidates c =
        new Candidates(
            plain.names(),
            plain.cpuMilli(),
            plain.memoryBytes(),
            plain.podLimit(),
            plain.cpuRequestedMilli(),
            plain.memoryRequestedBytes(),
            plain.podCount(),
            plain.pendingCpuMilli(),
            plain.pendingMemoryBytes(),
            plain.pendingPods(),
            plain.zones(),
            plain.racks(),
            new GpuColumns(new String[] {"T4", "T4"}, new int[][] {{1000, 500}, {700}}));
    ClusterState state = Given.state();
    state.podBound(half("running"), "elsewhere", 0);
    return new Decision(60, half("new"), c, state);
  }

  private static Pod half(String uid) {
    return new Pod(
        uid,
        uid,
        "default",
        "train",
        0,
        1000,
        Given.GIB,
        new GpuRequest(1, 500, List.of()),
        LatencyLimits.NONE);
  }
}
