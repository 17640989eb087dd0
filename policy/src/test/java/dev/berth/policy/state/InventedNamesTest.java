package dev.berth.policy.state;

import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.state;
import static java.lang.Double.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

/** Whoever may create pods may invent owners and nodes, as fast as the API server takes them. */
class InventedNamesTest {
  private final ClusterState state = state();

  private void cameAndWent(String uid, String owner, String node, double at) {
    state.podBound(Pod.of(uid, owner, 100, 1 << 20), node, at);
    state.podGone(uid, at);
  }

  @Test
  void of_too_many_owners_those_without_pods_go_the_longest_idle_first() {
    state.podBound(Pod.of("at work", "oldest", 100, 1 << 20), "node-0", 0);
    int all = ClusterState.MOST_OWNERS + 1_000;
    for (int i = 0; i < all; i++) {
      cameAndWent("p" + i, "owner-" + i, "node-0", i * 1e-4);
    }
    state.podBound(Pod.of("next", "oldest", 100, 1 << 20), "node-0", 120);
    assertThat(state.owners())
        .hasSizeLessThanOrEqualTo(ClusterState.MOST_OWNERS)
        .containsKeys("oldest", "owner-" + (all - 1))
        .doesNotContainKey("owner-0");
  }

  @Test
  void of_too_many_nodes_those_without_pods_and_samples_go() {
    state.podBound(Pod.of("at work", "web", 100, 1 << 20), "node-0", 0);
    for (int i = 0; i <= ClusterState.MOST_NODES; i++) {
      cameAndWent("p" + i, "web", "invented-" + i, i * 1e-3);
    }
    state.podBound(Pod.of("next", "web", 100, 1 << 20), "node-1", 120);
    assertThat(state.knownNodes()).isLessThan(100);
    assertThat(state.bindsSince("node-0", -1)).as("the pod at work").isEqualTo(1);
    assertThat(state.bindsSince("node-1", -1)).as("the next").isEqualTo(1);
  }

  @Test
  void however_many_nodes_are_asked_about_within_a_minute_only_so_many_become_known() {
    for (int question = 0; question < 10; question++) {
      Candidates invented = nodes(5_000, 32_000);
      for (int i = 0; i < invented.size(); i++) {
        invented.names()[i] += "-of-" + question;
      }
      state.deciding(invented, question);
      assertThat(state.expectedCpu(invented, question, new double[] {0})[0]).doesNotContain(NaN);
    }
    assertThat(state.knownNodes()).isEqualTo(ClusterState.NODES_ADMITTED);
  }

  /** A pod that names its node itself goes past all filters of the scheduler. */
  @Test
  void whatever_a_pod_requests_it_counts_for_no_more_than_its_node() {
    Candidates two = nodes(2, 32_000);
    for (boolean before : new boolean[] {true, false}) {
      ClusterState known = state();
      Pod absurd = Pod.of("p", "shop/Pod/p", 1_000_000_000, 1 << 20);
      if (before) {
        known.podBound(absurd, "node-0", 0); // before anybody has named the node's size
        known.deciding(two, 1);
      } else {
        known.deciding(two, 0);
        known.podBound(absurd, "node-0", 1);
      }
      two.cpuRequestedMilli()[0] = 1_000_000_000;
      double[] cores = known.expectedCpu(two, 60, new double[] {0})[0];
      assertThat(cores[0]).isBetween(1.0, 33.0);
      for (int p = 0; p < 5; p++) {
        known.podBound(Pod.of("p-" + p, "shop/Pod/p", 1_000_000_000, 1 << 20), "node-1", 2);
      }
      assertThat(known.expectedCpu("node-1", 60, 30)).isEqualTo(64);
      two.cpuRequestedMilli()[0] = 20_000_000; // as far as the plugin tells of it
      assertThat(known.expectedCpu(two, 60, new double[] {0})[0][0]).isEqualTo(cores[0]);
      two.cpuRequestedMilli()[1] = 20_000_000;
      assertThat(known.expectedCpu(two, 60, new double[] {0})[0][1]).isEqualTo(64);
      two.cpuRequestedMilli()[1] = 0;
    }
  }

  @Test
  void one_pod_that_requests_more_than_its_node_has_hides_none_of_the_others_there() {
    ClusterState known = state();
    Candidates two = nodes(2, 32_000);
    known.deciding(two, 0);
    for (int p = 0; p < 10; p++) {
      known.podBound(Pod.of("web-" + p, "web", 2000, 1 << 20), "node-0", 0);
    }
    two.cpuRequestedMilli()[0] = 20_000;
    double before = known.expectedCpu(two, 60, new double[] {0})[0][0];
    known.podBound(Pod.of("absurd", "shop/Pod/p", 100_000, 1 << 20), "node-0", 61);
    two.cpuRequestedMilli()[0] = 32_000; // no more is told than the node has
    assertThat(known.expectedCpu(two, 180, new double[] {0})[0][0]).isGreaterThan(before + 5);
    two.cpuRequestedMilli()[0] = 20_000; // it has ended, of which nobody has told
    assertThat(known.expectedCpu(two, 180, new double[] {0})[0][0]).isCloseTo(before, within(0.5));
  }

  @Test
  void a_node_of_which_more_is_requested_than_it_has_is_expected_to_use_what_its_pods_do() {
    ClusterState known = state();
    Candidates two = nodes(2, 32_000);
    known.deciding(two, 0);
    for (int p = 0; p < 20; p++) {
      known.podBound(Pod.of("web-" + p, "web", 2000, 1 << 20), "node-0", 0); // 40 cores
      known.podBound(Pod.of("daemon-" + p, "web", 1600, 1 << 20), "node-1", 0); // 32
    }
    two.cpuRequestedMilli()[0] = 32_000;
    two.cpuRequestedMilli()[1] = 32_000;
    double[] cores = known.expectedCpu(two, 60, new double[] {0})[0];
    assertThat(cores[0]).isGreaterThan(1.2 * cores[1]);
  }

  @Test
  void departures_from_a_node_that_nobody_measures_cost_no_more_the_more_there_were() {
    for (int i = 0; i < 200_000; i++) {
      cameAndWent("p" + i, "web", "node-0", i * 1e-4);
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean(); // others may be at work, too
    long begun = threads.getCurrentThreadCpuTime();
    for (int i = 0; i < 2_000; i++) {
      cameAndWent("q" + i, "web", "node-0", 30 + i * 1e-4);
    }
    assertThat((threads.getCurrentThreadCpuTime() - begun) / 1e9).as("seconds").isLessThan(1);
  }
}
