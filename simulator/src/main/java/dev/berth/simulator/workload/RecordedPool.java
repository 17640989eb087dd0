package dev.berth.simulator.workload;

import dev.berth.simulator.usage.RecordedWorld;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The pods of a history, lent to those that live: no two living pods of an owner play the same
 * record, unless all its pods do.
 */
final class RecordedPool {
  private final RecordedWorld world;
  private final Map<String, BitSet> lent = new HashMap<>();
  private final Map<String, Integer> next = new HashMap<>();

  RecordedPool(RecordedWorld world) {
    this.world = world;
  }

  /** Names of owners, in the order in which they first come. */
  String owner(int index) {
    return world.owners().get(index);
  }

  int owners() {
    return world.owners().size();
  }

  /** How many more pods of this owner may live. */
  int free(String owner) {
    return world.pods(owner) - lent(owner).cardinality();
  }

  /** The ordinal of a new pod, never given before to this owner. */
  int take(String owner) {
    BitSet mine = lent(owner);
    int ordinal = next.getOrDefault(owner, 0);
    while (mine.get(ordinal % world.pods(owner))) {
      ordinal++;
    }
    mine.set(ordinal % world.pods(owner));
    next.put(owner, ordinal + 1);
    return ordinal;
  }

  void release(String owner, int ordinal) {
    lent(owner).clear(ordinal % world.pods(owner));
  }

  RecordedWorld.Pod pod(String owner, int ordinal) {
    return world.pod(owner, ordinal);
  }

  private BitSet lent(String owner) {
    return lent.computeIfAbsent(owner, o -> new BitSet());
  }
}
