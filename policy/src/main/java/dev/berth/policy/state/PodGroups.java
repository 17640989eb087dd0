package dev.berth.policy.state;

import dev.berth.policy.ledger.PodState;
import dev.berth.policy.usage.OwnerModel;
import java.util.Arrays;
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
 * @param entryOf the owner's entry, {@code [pods]}
 */
record PodGroups(
    OwnerModel[] owners, double[] cores, double[] deviation, double requested, int[] entryOf) {

  static PodGroups of(List<PodState> pods) {
    Map<OwnerModel, Integer> entries = new LinkedHashMap<>();
    int[] entryOf = new int[pods.size()];
    double[] cores = new double[pods.size()];
    double requested = 0;
    for (int i = 0; i < entryOf.length; i++) {
      PodState p = pods.get(i);
      entryOf[i] = entries.computeIfAbsent(p.owner(), o -> entries.size());
      cores[entryOf[i]] += p.cores();
      requested += p.pod().cpuMilli() / 1000.0;
    }
    int n = entries.size();
    OwnerModel[] owners = entries.keySet().toArray(new OwnerModel[n]);
    PodGroups groups =
        new PodGroups(owners, Arrays.copyOf(cores, n), new double[n], requested, entryOf);
    groups.measure(pods);
    return groups;
  }

  /** The same pods, whose estimates have changed. */
  void measure(List<PodState> pods) {
    Arrays.fill(deviation, 0);
    for (int i = 0; i < entryOf.length; i++) {
      PodState p = pods.get(i);
      deviation[entryOf[i]] += p.cores() * p.deviation().mean();
    }
  }
}
