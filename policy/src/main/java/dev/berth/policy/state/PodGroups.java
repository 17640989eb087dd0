package dev.berth.policy.state;

import dev.berth.policy.ledger.PodState;
import dev.berth.policy.usage.OwnerModel;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The pods of a node by owner; entry i of every array is one owner.
 *
 * @param owners the owners
 * @param count pods of the owner
 * @param cores request cores of the owner's pods
 * @param deviation cores by which those pods are expected to differ from their owner's ratio
 * @param requested request cores of all pods, see {@link PodState#requestedMilli}
 * @param entryOf the owner's entry, {@code [pods]}
 */
record PodGroups(
    OwnerModel[] owners,
    int[] count,
    double[] cores,
    double[] deviation,
    double requested,
    int[] entryOf) {

  /** Pods whose owners are found by looking through them, which is quicker than a map. */
  private static final int FEW = 128;

  static PodGroups of(List<PodState> pods) {
    OwnerModel[] owners = new OwnerModel[pods.size()];
    int[] entryOf = new int[owners.length];
    int[] count = new int[owners.length];
    double[] cores = new double[owners.length];
    double requested = 0;
    Map<OwnerModel, Integer> entries = owners.length > FEW ? new HashMap<>() : null;
    int n = 0;
    for (int i = 0; i < entryOf.length; i++) {
      PodState p = pods.get(i);
      int entry =
          entries == null ? entry(owners, n, p.owner()) : entries.getOrDefault(p.owner(), n);
      if (entry == n) {
        owners[n++] = p.owner();
        if (entries != null) {
          entries.put(p.owner(), entry);
        }
      }
      entryOf[i] = entry;
      count[entry]++;
      cores[entry] += p.cores();
      requested += p.requestedMilli() / 1000;
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

  private static int entry(OwnerModel[] owners, int n, OwnerModel owner) {
    int entry = 0;
    while (entry < n && owners[entry] != owner) {
      entry++;
    }
    return entry;
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
