package dev.berth.policy.cluster;

/**
 * What a pod asks of a node, which decides where it fits. Pods of equal requests are
 * interchangeable as long as nothing but room counts, so scores can be kept per requests.
 *
 * @param cpuMilli CPU request in milli-cores
 * @param memoryBytes memory request in bytes
 */
public record PodRequests(long cpuMilli, long memoryBytes, GpuRequest gpu) {

  /** True for a part of one card. */
  public boolean sharesCard() {
    return gpu.sharesCard();
  }
}
