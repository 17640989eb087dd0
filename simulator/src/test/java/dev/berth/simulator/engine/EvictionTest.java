package dev.berth.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.usage.MemoryLeak;
import dev.berth.simulator.usage.Range;
import dev.berth.simulator.usage.StartUp;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.simulator.workload.PodSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Whom the kubelet evicts, and when. */
class EvictionTest {
  private static final long GIB = 1L << 30;
  private static final double WARM = 60;

  private static UsageParameters memory(Range ratio, MemoryLeak leak) {
    UsageParameters d = UsageParameters.DEFAULT;
    return new UsageParameters(
        d.cpuRatio(),
        ratio,
        leak,
        d.amplitude(),
        d.phases(),
        d.daySeconds(),
        d.burstShare(),
        d.burstFactor(),
        d.lifetime(),
        StartUp.NONE);
  }

  private final UsageModel model = new UsageModel(42, memory(new Range(0.2, 2), MemoryLeak.NONE));
  private final Cluster cluster = new Cluster(model);

  /** The first owner whose pods hold so much of their request. */
  private String owner(double from, double to) {
    return IntStream.range(0, 10_000)
        .mapToObj(i -> "default/Deployment/app-" + i)
        .filter(o -> model.owner(o).memoryRatio() > from && model.owner(o).memoryRatio() < to)
        .findFirst()
        .orElseThrow();
  }

  private void bind(String uid, String owner, int priority, long gib, Node node) {
    Pod pod =
        new Pod(
            uid,
            uid,
            "default",
            owner,
            priority,
            100,
            gib * GIB,
            GpuRequest.NONE,
            LatencyLimits.NONE);
    cluster.bind(PodSpec.of(pod), node, 0);
  }

  private Node node(long gib) {
    cluster.add(NodeGroup.of("node", 1, 64_000, gib * GIB), 0);
    return cluster.node("node-0");
  }

  private List<String> evictedInTurn(Node node) {
    List<String> order = new ArrayList<>();
    cluster.advance(WARM, 5);
    for (RunningPod v = cluster.evictionVictim(node); v != null; v = cluster.evictionVictim(node)) {
      order.add(v.spec().pod().uid());
      node.memoryUsedBytes -= v.memoryBytes();
      cluster.remove(v);
    }
    return order;
  }

  @Test
  void usage_above_request_comes_first_then_low_priority_then_by_how_much() {
    Node node = node(1);
    bind("below-its-request", owner(0.8, 0.9), 0, 100, node);
    bind("above-but-important", owner(1.9, 2), 1000, 20, node);
    bind("a-little-above", owner(1.2, 1.3), 0, 10, node);
    bind("far-above", owner(1.8, 1.9), 0, 10, node);
    assertThat(evictedInTurn(node))
        .containsExactly("far-above", "a-little-above", "above-but-important", "below-its-request");
  }

  @Test
  void nobody_goes_while_memory_suffices_and_no_more_than_it_takes() {
    Node node = node(64);
    String greedy = owner(1.4, 1.5);
    for (int i = 0; i < 4; i++) {
      bind("p" + i, greedy, 0, 10, node);
    }
    assertThat(evictedInTurn(node)).isEmpty();
    bind("one-too-many", greedy, 0, 10, node);
    assertThat(evictedInTurn(node)).containsExactly("one-too-many");
  }

  @Test
  void a_leak_grows_by_the_hour_and_begins_anew_with_the_pod() {
    MemoryLeak leak = new MemoryLeak(1, new Range(0.5, 0.5));
    var leaky = new UsageModel(42, memory(new Range(0.6, 0.6), leak));
    Pod pod = Pod.of("p", "default/Deployment/web", 1000, 10 * GIB);
    var demand = leaky.start(pod, 0, 100);
    assertThat(demand.memoryBytes(100 + 7200) / GIB).isCloseTo(6 + 10, within(1e-9));
    assertThat(leaky.start(pod, 0, 7300).memoryBytes(7300 + 60) / GIB).isLessThan(6.1);
  }

  @Test
  void a_leak_leaves_every_other_draw_as_it_was() {
    var leaky = new UsageModel(42, memory(new Range(0.2, 2), new MemoryLeak(1, new Range(1, 2))));
    for (int i = 0; i < 20; i++) {
      String owner = "default/Deployment/app-" + i;
      assertThat(leaky.owner(owner).cpuRatio()).isEqualTo(model.owner(owner).cpuRatio());
      assertThat(leaky.owner(owner).phase()).isEqualTo(model.owner(owner).phase());
      assertThat(leaky.owner(owner).burstSeed()).isEqualTo(model.owner(owner).burstSeed());
    }
  }
}
