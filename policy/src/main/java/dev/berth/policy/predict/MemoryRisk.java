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
 * @param room such pods that the node is expected to hold until it is sure to evict; below 1 the
 *     {@link MemoryLimit} keeps it back, {@code [candidates]}
 */
record MemoryRisk(double[] increase, double[] room) {
  /**
   * Against the spread of CPU usage. With 3 the scenarios of memory/ evict 3 % less, and three
   * times as much of what the cost gains is given up (3.7 instead of 1.3 %; seeds 1 to 12).
   */
  private static final double WEIGHT = 2;

  /**
   * Standard deviation of what a node will hold, as a fraction of what is allocatable: owners hold
   * more or less of their requests than the cluster's mean, and pods come and go.
   */
  private static final double ERROR = 0.03;

  /**
   * Of what is allocatable: a node that is expected to hold more is sure to evict. With 1, where it
   * is as likely as not, they evict 7 % less and give up twice as much (7.8 instead of 3.7 %).
   */
  private static final double LIMIT = 1 + 3 * ERROR;

  /**
   * For all candidates of a decision. A pod costs as much as one that fills the node at most: it
   * fits nowhere, and what it would cost is not to drown what tells the nodes apart.
   */
  static MemoryRisk of(Decision d) {
    Candidates c = d.candidates();
    ClusterState.Memory memory = d.state().expectedMemory(c, d.pod());
    MemoryRisk risk = none(c.size());
    double perPod = 1 / memory.pod();
    for (int i = 0; i < c.size(); i++) {
      double share = 1.0 / c.memoryBytes()[i];
      double before = memory.before()[i] * share;
      double pod = Math.min(1, memory.pod() * share);
      risk.increase[i] = WEIGHT * PlacementCost.overload(before, pod, ERROR);
      if (memory.pod() > 0) {
        risk.room[i] = (LIMIT * c.memoryBytes()[i] - memory.before()[i]) * perPod;
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
