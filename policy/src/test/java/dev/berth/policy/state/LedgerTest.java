package dev.berth.policy.state;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static dev.berth.policy.Given.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import org.junit.jupiter.api.Test;

/** A pod of 2 cores whose owner nothing is known of is worth 2 x 0.6 cores, the prior ratio. */
class LedgerTest {
  private static final double WORTH = 1.2;

  private final Candidates one = nodes(1, 64_000);
  private final ClusterState state = state();

  private double ledger(double now) {
    return state.ledgerCpu(one, now)[0];
  }

  @Test
  void a_pod_bound_after_the_window_counts_in_full() {
    state.sample(cpu("node-0", 60, 90, 5), 100);
    state.podBound(pod("a", "web", 2000), "node-0", 101);
    assertThat(ledger(102)).isCloseTo(WORTH, within(1e-9));
  }

  @Test
  void a_pod_bound_inside_the_window_counts_by_the_part_that_did_not_see_it() {
    // Bound at 100, at work from 115 on (half of the 30 s ramp): seen by half of the window.
    state.podBound(pod("a", "web", 2000), "node-0", 100);
    state.sample(cpu("node-0", 100, 130, 5), 140);
    assertThat(ledger(140)).isCloseTo(WORTH / 2, within(1e-9));
  }

  @Test
  void without_the_window_part_a_pod_was_seen_or_not() {
    ClusterState whole = new ClusterState(state.config().without(Part.WINDOW));
    whole.sample(cpu("node-0", 60, 90, 5), 90);
    whole.podBound(pod("a", "web", 2000), "node-0", 100);
    assertThat(whole.ledgerCpu(one, 140)[0]).isCloseTo(WORTH, within(1e-9));
    whole.sample(cpu("node-0", 100, 130, 5), 140);
    assertThat(whole.ledgerCpu(one, 140)[0]).isZero();
    whole.podGone("a", 145);
    assertThat(whole.ledgerCpu(one, 150)[0]).isCloseTo(-WORTH, within(1e-9));
  }

  @Test
  void a_pod_that_the_window_saw_whole_counts_nothing() {
    state.podBound(pod("a", "web", 2000), "node-0", 50);
    state.sample(cpu("node-0", 100, 130, 5), 140);
    assertThat(ledger(140)).isZero();
  }

  @Test
  void a_departure_is_taken_off_by_the_part_that_still_saw_it() {
    state.podBound(pod("a", "web", 2000), "node-0", 0);
    state.podBound(pod("b", "web", 2000), "node-0", 0);
    state.sample(cpu("node-0", 100, 130, 5), 140);
    state.podGone("a", 145);
    assertThat(ledger(150)).isCloseTo(-WORTH, within(1e-9));
    state.podGone("b", 170);
    state.sample(cpu("node-0", 155, 185, 5), 195);
    // a left before the window; b was there for the first half of it.
    assertThat(ledger(195)).isCloseTo(-WORTH / 2, within(1e-9));
  }

  @Test
  void without_departures_the_ledger_only_adds() {
    ClusterState adding = new ClusterState(UsageConfig.DEFAULT.without(Part.DEPARTURES));
    adding.podBound(pod("a", "web", 2000), "node-0", 0);
    adding.sample(cpu("node-0", 100, 130, 5), 140);
    adding.podGone("a", 145);
    assertThat(adding.ledgerCpu(one, 150)[0]).isZero();
  }

  @Test
  void a_reservation_taken_back_leaves_no_trace() {
    state.sample(cpu("node-0", 60, 90, 5), 100);
    state.podBound(pod("a", "web", 2000), "node-0", 101);
    state.podGone("a", 102);
    assertThat(ledger(103)).isZero();
    assertThat(state.knownPods()).isZero();
  }

  @Test
  void saying_it_twice_changes_nothing_and_another_node_moves_the_pod() {
    state.sample(cpu("node-0", 60, 90, 5), 100);
    state.podBound(pod("a", "web", 2000), "node-0", 101);
    state.podBound(pod("a", "web", 2000), "node-0", 102);
    assertThat(ledger(103)).isCloseTo(WORTH, within(1e-9));
    state.podBound(pod("a", "web", 2000), "node-1", 103);
    assertThat(ledger(104)).isZero();
    assertThat(state.knownPods()).isEqualTo(1);
    state.podGone("never-seen", 105);
    state.nodeGone("node-1");
    assertThat(state.knownPods()).isZero();
  }

  @Test
  void a_reward_leaves_out_what_later_binds_brought() {
    state.podBound(pod("a", "web", 2000), "node-0", 0);
    long decision = state.binds();
    state.podBound(pod("later", "web", 2000), "node-0", 60);
    state.sample(cpu("node-0", 90, 120, 5), 130);
    assertThat(state.measuredCpuWithout("node-0", decision, 130, 30))
        .isCloseTo(5 - WORTH, within(1e-9));
    assertThat(state.measuredCpuWithout("node-0", state.binds(), 130, 30)).isEqualTo(5);
    assertThat(state.measuredCpuWithout("node-1", decision, 130, 30)).isNaN();
  }
}
