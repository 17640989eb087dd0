package dev.berth.policy.cluster;

/**
 * What a scorer may know of a pod.
 *
 * @param uid unique for the pod's whole life
 * @param owner key of the top controller, {@code namespace/kind/name}; pods of one owner are alike
 * @param priority Kubernetes priority value
 * @param cpuMilli CPU request in milli-cores
 * @param memoryBytes memory request in bytes
 */
public record Pod(
    String uid,
    String name,
    String namespace,
    String owner,
    int priority,
    long cpuMilli,
    long memoryBytes,
    GpuRequest gpu,
    LatencyLimits latency) {

  public Pod {
    if (cpuMilli < 0 || memoryBytes < 0) {
      throw new IllegalArgumentException(
          "pod "
              + namespace
              + "/"
              + name
              + " asks for a negative amount: cpu "
              + cpuMilli
              + "m, memory "
              + memoryBytes);
    }
  }

  /** What it asks of a node. */
  public PodRequests requests() {
    return new PodRequests(cpuMilli, memoryBytes, gpu);
  }

  /** A pod without GPUs and latency limits. */
  public static Pod of(String uid, String owner, long cpuMilli, long memoryBytes) {
    return new Pod(
        uid, uid, "default", owner, 0, cpuMilli, memoryBytes, GpuRequest.NONE, LatencyLimits.NONE);
  }
}
