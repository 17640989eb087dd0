package dev.berth.service.scoring;

import dev.berth.policy.cluster.Pod;

/**
 * A pod on its node.
 *
 * @param since seconds since the epoch when it was first reported there
 */
public record RunningPod(Pod pod, String node, double since) {}
