package dev.berth.simulator.rival;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;

/** What a policy says of one node, called {@code node}. */
final class Ask {
  static final long GIB = 1L << 30;

  private Ask() {}

  static Pod pod(String uid, long cpuMilli, long memoryBytes) {
    return Pod.of(uid, "default/Deployment/web", cpuMilli, memoryBytes);
  }

  static double score(Policy policy, double now, Pod pod, long cpuMilli, long memoryBytes) {
    String[] none = {""};
    Candidates one =
        new Candidates(
            new String[] {"node"},
            new long[] {cpuMilli},
            new long[] {memoryBytes},
            new int[] {110},
            new long[1],
            new long[1],
            new int[1],
            new long[1],
            new long[1],
            new int[1],
            none,
            none,
            null);
    double[] out = new double[1];
    policy.score(new Decision(now, pod, one, new ClusterState(UsageConfig.DEFAULT)), out);
    return out[0];
  }
}
