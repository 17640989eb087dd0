package dev.berth.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.PodSpec;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PendingPodsTest {
  private final Cluster cluster = new Cluster(new UsageModel(1, UsageParameters.DEFAULT));

  @Test
  void they_are_those_that_looking_at_every_pod_finds_whatever_comes_goes_and_is_sampled_seed_7() {
    cluster.add(NodeGroup.of("node", 1, 1_000_000, 1L << 50), 0);
    Node node = cluster.node("node-0");
    SplittableRandom random = new SplittableRandom(7);
    double covered = Double.NEGATIVE_INFINITY;
    int most = 0;
    for (int k = 0; k < 2000; k++) {
      double t = 5.0 * (k / 4); // several at an instant
      if (random.nextInt(3) > 0) {
        Pod pod = Pod.of("pod-" + k, "web", random.nextInt(1000), random.nextInt(1 << 30));
        cluster.bind(PodSpec.of(pod), node, t);
      } else if (!node.pods().isEmpty()) {
        cluster.remove(node.pods().get(random.nextInt(node.pods().size())));
      }
      if (random.nextInt(10) == 0) {
        double until = t - random.nextInt(60); // often older than the last
        covered = Math.max(covered, until);
        node.pending().covered(until);
      }
      double since = covered;
      List<Pod> pending =
          node.pods().stream().filter(p -> p.boundAt() >= since).map(p -> p.spec().pod()).toList();
      most = Math.max(most, pending.size());
      assertThat(node.pending().count()).isEqualTo(pending.size());
      assertThat(node.pending().cpuMilli())
          .isEqualTo(pending.stream().mapToLong(Pod::cpuMilli).sum());
      assertThat(node.pending().memoryBytes())
          .isEqualTo(pending.stream().mapToLong(Pod::memoryBytes).sum());
    }
    assertThat(most).isGreaterThan(10);
  }

  @Test
  void what_a_tick_reads_stays_in_the_order_of_the_pods_when_some_go() {
    cluster.add(NodeGroup.of("node", 1, 64_000, 1L << 40), 0);
    Node node = cluster.node("node-0");
    for (int i = 0; i < 5; i++) {
      cluster.bind(PodSpec.of(Pod.of("pod-" + i, "owner-" + i, 100, 1 << 30)), node, 0);
    }
    for (int gone : new int[] {1, 3, 0}) { // from the middle, the end, the beginning
      cluster.remove(node.pods().get(gone));
      assertThat(node.podCount()).isEqualTo(node.pods().size());
      assertThat(node.demands).isEqualTo(node.pods().stream().map(RunningPod::demand).toList());
      assertThat(node.loads).isEqualTo(node.pods().stream().map(RunningPod::load).toList());
    }
  }
}
