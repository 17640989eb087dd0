package dev.berth.policy.gpu;

import dev.berth.policy.cluster.PodRequests;
import java.util.random.RandomGenerator;

/**
 * Any node where the pod fits, any card with room. All scores are equal, so it needs random ties
 * whatever rule the others run under.
 */
public final class RandomNode implements GpuPolicy.PerNode {
  private final RandomGenerator random;

  public RandomNode(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public String name() {
    return "random";
  }

  @Override
  public double score(PodRequests pod, GpuNode node) {
    return 0;
  }

  @Override
  public int cards(PodRequests pod, GpuNode node) {
    return Cards.random(pod, node, random);
  }
}
