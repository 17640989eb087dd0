package dev.berth.policy.gpu;

import dev.berth.policy.cluster.PodRequests;

/**
 * Tetris (Grandl et al., SIGCOMM 2014) as the fragmentation paper ran it: the smaller the dot
 * product of what is free and what is asked, the better. CPU in units of 128 cores, all GPUs of a
 * node merged in units of 8; the score is truncated to an integer of 0..100, which makes ties.
 */
public final class DotProduct implements GpuPolicy.PerNode {
  private static final double MAX_CPU_MILLI = 128_000;
  private static final double MAX_GPU_MILLI = 8_000;

  @Override
  public String name() {
    return "dot-product";
  }

  @Override
  public double score(PodRequests pod, GpuNode node) {
    double dot =
        node.freeCpuMilli() / MAX_CPU_MILLI * (pod.cpuMilli() / MAX_CPU_MILLI)
            + node.idleMilli() / MAX_GPU_MILLI * (pod.gpu().totalMilli() / MAX_GPU_MILLI);
    return (long) (100 * (1 - dot / 2));
  }
}
