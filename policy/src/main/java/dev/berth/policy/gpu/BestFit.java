package dev.berth.policy.gpu;

import dev.berth.policy.cluster.PodRequests;

/**
 * The node with the least left over: half the free CPU (in units of 128 cores) plus half the free
 * GPU (in units of 8) after placing. Truncated to an integer of 0..100 as published; the published
 * min-max normalisation afterwards keeps order and ties, so it is left out.
 */
public final class BestFit implements GpuPolicy.PerNode {
  private static final double MAX_CPU_MILLI = 128_000;
  private static final double MAX_GPU_MILLI = 8_000;

  @Override
  public String name() {
    return "best-fit";
  }

  @Override
  public double score(PodRequests pod, GpuNode node) {
    double left =
        (node.freeCpuMilli() - pod.cpuMilli()) / MAX_CPU_MILLI * 0.5
            + (node.idleMilli() - pod.gpu().totalMilli()) / MAX_GPU_MILLI * 0.5;
    return (long) ((1 - left) * 100);
  }
}
