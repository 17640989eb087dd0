package dev.berth.simulator.workload;

import dev.berth.policy.cluster.Pod;
import java.util.Map;
import java.util.Set;

/**
 * A pod as it is submitted, with what only the simulator knows.
 *
 * @param cpuLimitMilli CPU limit, 0 for none
 * @param nodeSelector labels a node must carry (also stands for required node affinity)
 * @param tolerations taints it may live with, as {@code key=value}
 * @param lifetimeSeconds from the start of its containers to its end; infinity for never
 */
public record PodSpec(
    Pod pod,
    long cpuLimitMilli,
    Map<String, String> nodeSelector,
    Set<String> tolerations,
    double lifetimeSeconds) {

  public PodSpec {
    nodeSelector = Map.copyOf(nodeSelector);
    tolerations = Set.copyOf(tolerations);
  }

  /** A pod that goes anywhere and never ends. */
  public static PodSpec of(Pod pod) {
    return new PodSpec(pod, 0, Map.of(), Set.of(), Double.POSITIVE_INFINITY);
  }

  /** What a controller creates in its place when it was evicted or lost its node. */
  public PodSpec replacement(String suffix, double remainingSeconds) {
    Pod twin =
        new Pod(
            pod.uid() + suffix,
            pod.name() + suffix,
            pod.namespace(),
            pod.owner(),
            pod.priority(),
            pod.cpuMilli(),
            pod.memoryBytes(),
            pod.gpu(),
            pod.latency());
    return new PodSpec(twin, cpuLimitMilli, nodeSelector, tolerations, remainingSeconds);
  }
}
