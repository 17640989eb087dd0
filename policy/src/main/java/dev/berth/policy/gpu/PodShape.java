package dev.berth.policy.gpu;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.Pod;

/**
 * What of a pod decides where it fits. Pods of equal shape are interchangeable, so scores are
 * cached per shape.
 *
 * @param cpuMilli CPU request in milli-cores
 * @param memoryBytes memory request in bytes
 */
public record PodShape(long cpuMilli, long memoryBytes, GpuRequest gpu) {

  public static PodShape of(Pod pod) {
    return new PodShape(pod.cpuMilli(), pod.memoryBytes(), pod.gpu());
  }

  /** True for a part of one card. */
  public boolean sharesCard() {
    return gpu.count() == 1 && gpu.milli() < GpuNode.CARD_MILLI;
  }

  /** The class by which failures are reported. */
  public PodClass podClass() {
    if (gpu.count() == 0) {
      return PodClass.CPU_ONLY;
    }
    if (sharesCard()) {
      return PodClass.SHARED;
    }
    return switch (gpu.count()) {
      case 1 -> PodClass.ONE_GPU;
      case 8 -> PodClass.EIGHT_GPU;
      default -> PodClass.MULTI_GPU;
    };
  }
}
