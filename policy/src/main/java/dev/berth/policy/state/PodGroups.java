package dev.berth.policy.state;

import dev.berth.policy.ledger.PodState;
import dev.berth.policy.usage.OwnerModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pods of a node by owner; entry i of every array is one owner.
 *
 * @param owners the owners
 * @param cores request cores of the owner's pods
 * @param deviation cores by which those pods are expected to differ from their owner's ratio
 * @param requested request cores of all pods, as the scheduler counts them
 */
record PodGroups(OwnerModel[] owners, double[] cores, double[] deviation, double requested) {

  static PodGroups of(List<PodState> pods) {
    Map<OwnerModel, double[]> sums = new LinkedHashMap<>();
    double requested = 0;
    for (PodState p : pods) {
      double[] sum = sums.computeIfAbsent(p.owner(), o -> new double[2]);
      sum[0] += p.cores();
      sum[1] += p.cores() * p.deviation().mean();
      requested += p.pod().cpuMilli() / 1000.0;
    }
    int n = sums.size();
    PodGroups groups = new PodGroups(new OwnerModel[n], new double[n], new double[n], requested);
    int i = 0;
    for (Map.Entry<OwnerModel, double[]> e : sums.entrySet()) {
      groups.owners[i] = e.getKey();
      groups.cores[i] = e.getValue()[0];
      groups.deviation[i++] = e.getValue()[1];
    }
    return groups;
  }

  /** Request cores of one owner's pods, 0 where it has none here. */
  double cores(OwnerModel owner) {
    for (int i = 0; i < owners.length; i++) {
      if (owners[i] == owner) {
        return cores[i];
      }
    }
    return 0;
  }
}
