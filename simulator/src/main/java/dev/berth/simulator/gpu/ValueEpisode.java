package dev.berth.simulator.gpu;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.GpuPlacer;
import dev.berth.policy.gpu.GpuPolicy;
import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.value.ValueSamples;
import dev.berth.policy.gpu.value.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * One fill-up whose after-states become samples: every node a pod was placed on, and now and then a
 * random one, labelled with the node's own idle GPU at the end (Monte Carlo). A run of 10,000
 * decisions gives 10,000 labels instead of one return.
 */
final class ValueEpisode {
  /** One sample in so many arrivals is of a random node, so that untouched states are known too. */
  private static final int RANDOM_NODE_EVERY = 8;

  private ValueEpisode() {}

  static void run(
      GpuTrace trace,
      WorkloadProfile workload,
      GpuPolicy policy,
      double demand,
      long seed,
      ValueSamples samples) {
    RandomGenerator random = RandomGeneratorFactory.of(FillUp.GENERATOR).create(seed);
    List<PodRequests> arrivals = Arrivals.fillUp(trace, demand, random);
    GpuNode[] nodes = FillUp.shuffledNodes(trace, random);
    GpuPlacer placer = new GpuPlacer(nodes, policy, TieRule.RANDOM, random);
    int first = samples.size();
    List<GpuNode> subjects = new ArrayList<>();
    for (PodRequests pod : arrivals) {
      int row = placer.choose(pod);
      if (row >= 0) {
        placer.place(row, pod);
        samples.add(nodes[row], workload);
        subjects.add(nodes[row]);
      }
      if (random.nextInt(RANDOM_NODE_EVERY) == 0) {
        GpuNode node = nodes[random.nextInt(nodes.length)];
        samples.add(node, workload);
        subjects.add(node);
      }
    }
    for (int i = 0; i < subjects.size(); i++) {
      samples.label(first + i, subjects.get(i).idleMilli() / (double) GpuRequest.CARD_MILLI);
    }
  }
}
