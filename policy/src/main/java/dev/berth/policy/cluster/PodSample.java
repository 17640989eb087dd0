package dev.berth.policy.cluster;

/**
 * One cAdvisor-shaped sample: what a pod used in the mean over a window. A value that the source
 * did not give is NaN; the cluster state refuses infinite values. Most clusters have them, none
 * needs them.
 *
 * @param uid the pod's
 * @param windowStart start of the averaging window, seconds
 * @param windowEnd end of the averaging window, seconds
 * @param cpuCores mean CPU used by its containers, in cores
 * @param memoryBytes working set of its containers, in bytes
 */
public record PodSample(
    String uid, double windowStart, double windowEnd, double cpuCores, double memoryBytes) {}
