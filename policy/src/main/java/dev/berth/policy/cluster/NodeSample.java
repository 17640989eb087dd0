package dev.berth.policy.cluster;

/**
 * One node-exporter-shaped sample: the mean over a window, as a rate query sees it. A value that
 * the source did not give is NaN (unknown is neutral, never zero); the cluster state refuses
 * infinite values.
 *
 * @param node node name
 * @param windowStart start of the averaging window, seconds
 * @param windowEnd end of the averaging window, seconds; the sample's age counts from here
 * @param cpuCores mean CPU used, in cores
 * @param memoryBytes memory used, in bytes
 * @param connections established TCP connections
 * @param latencyMillis latency measured on the node, in milliseconds
 */
public record NodeSample(
    String node,
    double windowStart,
    double windowEnd,
    double cpuCores,
    double memoryBytes,
    double connections,
    double latencyMillis) {

  /** This sample's CPU and window with everything else of a newer one. */
  public NodeSample withAllButCpu(NodeSample newer) {
    return new NodeSample(
        node,
        windowStart,
        windowEnd,
        cpuCores,
        newer.memoryBytes,
        newer.connections,
        newer.latencyMillis);
  }
}
