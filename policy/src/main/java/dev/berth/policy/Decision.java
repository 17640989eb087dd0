package dev.berth.policy;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;

/**
 * One decision: where should this pod go?
 *
 * @param now seconds on the caller's clock (virtual in the simulator, epoch seconds in the service)
 * @param state read-only here; the caller keeps it from changing during the decision
 */
public record Decision(double now, Pod pod, Candidates candidates, ClusterState state) {}
