package dev.berth.policy.predict;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.state.ClusterState;
import java.util.Arrays;

/**
 * What a pod does to the memory of each candidate. Memory is not shared as CPU is: beyond what is
 * allocatable the kubelet evicts. The expected excess costs, as that of CPU does; where memory is
 * not scarce it is nothing at all.
 *
 * @param increase what the pod adds to the cost of memory that is not there, {@code [candidates]}
 * @param room such pods that the node's memory is expected to hold yet; below 1 it would be over
 *     its limit, see {@link MemoryLimit}, {@code [candidates]}
 */
record MemoryRisk(double[] increase, double[] room) {
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

  /** For all candidates of a decision. */
  static MemoryRisk of(Decision d) {
    Candidates c = d.candidates();
    ClusterState.Memory memory = d.state().expectedMemory(c, d.pod());
    MemoryRisk risk = none(c.size());
    for (int i = 0; i < c.size(); i++) {
      double before = memory.before()[i] / c.memoryBytes()[i];
      double pod = memory.pod() / c.memoryBytes()[i];
      risk.increase[i] =
          WEIGHT
              * (PlacementCost.overload(before + pod, ERROR)
                  - PlacementCost.overload(before, ERROR));
      if (pod > 0) {
        risk.room[i] = (1 - before) / pod;
      }
    }
    return risk;
  }

  /** Where memory has no say. */
  static MemoryRisk none(int candidates) {
    double[] room = new double[candidates];
    Arrays.fill(room, Double.POSITIVE_INFINITY);
    return new MemoryRisk(new double[candidates], room);
  }
}
