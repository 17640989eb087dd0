package dev.berth.workbench.live;

import java.util.List;

/**
 * What a node_exporter on a fake node would read at one instant.
 *
 * @param cores CPUs of the node
 * @param busySeconds CPU seconds used since the exporter started, all CPUs together; never falls
 * @param idleSeconds CPU seconds not used, all CPUs together; never falls
 * @param demandCores CPU that the pods want, in cores; above {@code cores} the node is overloaded
 * @param memoryTotalBytes memory of the node
 * @param memoryUsedBytes memory held by pods and daemons, at most the total
 * @param connections established TCP connections
 * @param receivedBytes bytes received since the exporter started; never falls
 * @param latencyMillis latency that contention causes
 * @param pods on the node
 */
record NodeReading(
    double cores,
    double busySeconds,
    double idleSeconds,
    double demandCores,
    double memoryTotalBytes,
    double memoryUsedBytes,
    double connections,
    double receivedBytes,
    double latencyMillis,
    List<OfPod> pods) {

  /**
   * What cAdvisor would read of a pod's one container.
   *
   * @param cpuSeconds used since the exporter heard of it; never falls
   */
  record OfPod(String namespace, String name, double cpuSeconds, double memoryBytes) {}
}
