package dev.berth.policy.state;

import dev.berth.policy.ledger.PodState;
import dev.berth.policy.usage.OwnerModel;
import java.util.Arrays;
import java.util.List;

/**
 * The pods of a node by owner; entry i of every array is one owner.
 *
 * @param owners the owners
 * @param count pods of the owner
 * @param cores request cores of the owner's pods
 * @param deviation cores by which those pods are expected to differ from their owner's ratio
 * @param requested request cores of all pods, as the scheduler counts them
 * @param entryOf the owner's entry, {@code [pods]}
 */
record PodGroups(
    OwnerModel[] owners,
    int[] count,
    double[] cores,
    double[] deviation,
    double requested,
    int[] entryOf) {

  /** A node has some hundred pods at most: looking through their owners is quicker than a map. */
  static PodGroups of(List<PodState> pods) {
    OwnerModel[] owners = new OwnerModel[pods.size()];
    int[] entryOf = new int[owners.length];
    int[] count = new int[owners.length];
    double[] cores = new double[owners.length];
    double requested = 0;
    int n = 0;
    for (int i = 0; i < entryOf.length; i++) {
      PodState p = pods.get(i);
      int entry = 0;
      while (entry < n && owners[entry] != p.owner()) {
        entry++;
      }
      if (entry == n) {
        owners[n++] = p.owner();
      }
      entryOf[i] = entry;
      count[entry]++;
      cores[entry] += p.cores();
      requested += p.pod().cpuMilli() / 1000.0;
    }
    PodGroups groups =
        new PodGroups(
            Arrays.copyOf(owners, n),
            Arrays.copyOf(count, n),
            Arrays.copyOf(cores, n),
            new double[n],
            requested,
            entryOf);
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
