package dev.berth.policy.predict;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.state.ClusterState;

/**
 * What a pod adds to the memory that a node cannot give. Memory is not shared as CPU is: beyond
 * what is allocatable the kubelet evicts. Its expected excess counts, as that of CPU does; where
 * memory is not scarce it is nothing at all.
 */
final class MemoryRisk {
  /**
   * Against the spread of CPU usage. With 10, as overload of CPU has, a cluster without any memory
   * to spare evicts a sixth less, at 4 % more cost (scenarios of memory/, seeds 5002 and 5003).
   */
  private static final double WEIGHT = 3;

  /**
   * Standard deviation of what a node will hold, as a fraction of what is allocatable: owners hold
   * more or less of their requests than the cluster's mean, and pods come and go.
   */
  private static final double ERROR = 0.03;

  private MemoryRisk() {}

  /** The increase for every candidate, {@code [candidates]}. */
  static double[] increase(Decision d) {
    Candidates c = d.candidates();
    ClusterState.Memory memory = d.state().expectedMemory(c, d.pod());
    double[] out = new double[c.size()];
    for (int i = 0; i < out.length; i++) {
      double before = memory.before()[i] / c.memoryBytes()[i];
      double after = before + memory.pod() / c.memoryBytes()[i];
      out[i] =
          WEIGHT * (PlacementCost.overload(after, ERROR) - PlacementCost.overload(before, ERROR));
    }
    return out;
  }
}
