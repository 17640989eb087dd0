package dev.berth.policy.state;

import static dev.berth.policy.Given.state;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Pod;
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
  void departures_from_a_node_that_nobody_measures_cost_no_more_the_more_there_were() {
    for (int i = 0; i < 200_000; i++) {
      cameAndWent("p" + i, "web", "node-0", i * 1e-4);
    }
    long begun = System.nanoTime();
    for (int i = 0; i < 2_000; i++) {
      cameAndWent("q" + i, "web", "node-0", 30 + i * 1e-4);
    }
    assertThat((System.nanoTime() - begun) / 1e9).as("seconds").isLessThan(1);
  }
}
