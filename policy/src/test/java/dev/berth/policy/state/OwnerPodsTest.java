package dev.berth.policy.state;

import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import org.junit.jupiter.api.Test;

class OwnerPodsTest {
  private final ClusterState state = state();
  private final Candidates candidates = nodes(2, 64_000);

  private void bind(String uid, String owner, String node) {
    state.podBound(Pod.of(uid, owner, 100, 1 << 30), node, 10);
  }

  @Test
  void pods_of_an_owner_are_counted_where_they_are_as_they_come_move_and_go() {
    assertThat(state.ownerPods("web", candidates)).containsExactly(0, 0);
    bind("a", "web", "node-0");
    bind("b", "web", "node-0");
    bind("c", "db", "node-0");
    bind("d", "web", "node-1");
    assertThat(state.ownerPods("web", candidates)).containsExactly(2, 1);
    assertThat(state.ownerPods("db", candidates)).containsExactly(1, 0);
    bind("a", "web", "node-1"); // moved
    state.podGone("b", 20);
    state.podGone("b", 20);
    assertThat(state.ownerPods("web", candidates)).containsExactly(0, 2);
    state.nodeGone("node-1");
    assertThat(state.ownerPods("web", candidates)).containsExactly(0, 0);
    assertThat(state.ownerPods("db", candidates)).containsExactly(1, 0);
  }

  @Test
  void however_many_owners_a_node_has_each_has_its_pods() {
    for (int i = 0; i < 600; i++) {
      bind("p" + i, "owner-" + i % 200, "node-0");
    }
    for (int owner : new int[] {0, 100, 199}) {
      assertThat(state.ownerPods("owner-" + owner, candidates)).containsExactly(3, 0);
      assertThat(state.ownerCores("owner-" + owner, candidates)[0]).isCloseTo(.3, within(1e-9));
    }
  }

  @Test
  void without_a_ledger_pods_are_counted_although_their_cores_are_not_known() {
    ClusterState blind = new ClusterState(UsageConfig.DEFAULT.without(Part.LEDGER));
    blind.sample(new NodeSample("node-0", 0, 15, 1, 1 << 30, 0, 0), 16);
    blind.podBound(Pod.of("a", "web", 100, 1 << 30), "node-0", 20);
    assertThat(blind.ownerCores("web", candidates)).containsExactly(0, 0);
    assertThat(blind.ownerPods("web", candidates)).containsExactly(1, 0);
  }
}
