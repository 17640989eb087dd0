package dev.berth.policy.gpu;

import dev.berth.policy.cluster.PodRequests;

/**
 * Gandiva's rule (Xiao et al., OSDI 2018): keep pods that ask for the same kind of GPU share on the
 * same nodes. Four bands of 25 points: only this kind, this kind among others, empty, other kinds;
 * within a band the fuller node wins. A CPU-only pod scores 0 everywhere.
 */
public final class GpuClustering implements GpuPolicy.PerNode {
  private static final int BAND = 25;
  private static final int MAX_GPU_MILLI = 8_000;

  @Override
  public String name() {
    return "gpu-clustering";
  }

  @Override
  public double score(PodRequests pod, GpuNode node) {
    if (pod.gpu().count() == 0) {
      return 0;
    }
    return BAND * (MAX_GPU_MILLI - node.idleMilli()) / MAX_GPU_MILLI + BAND * band(pod, node);
  }

  private static int band(PodRequests pod, GpuNode node) {
    if (node.podsAlike(pod) > 0) {
      return node.affinities() == 1 ? 3 : 2;
    }
    return node.affinities() == 0 ? 1 : 0;
  }
}
