package dev.berth.policy.replay;

import dev.berth.policy.learning.Ring;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * A ring per stratum (cluster load x pod size), sampled stratum by stratum and by priority inside
 * one: a quiet month cannot push the one busy day out.
 *
 * <p>Thread rule: one thread.
 */
public final class ReplayBuffer {
  public static final int LOADS = 5;
  public static final int SIZES = 4;
  public static final int STRATA = LOADS * SIZES;

  private final int perStratum;
  private final List<Ring<Transition>> strata = new ArrayList<>();
  private int size;

  /**
   * @param capacity transitions in all, at least one per stratum
   */
  public ReplayBuffer(int capacity) {
    this.perStratum = perStratum(capacity);
    for (int i = 0; i < STRATA; i++) {
      strata.add(new Ring<>(perStratum));
    }
  }

  /** Transitions of one stratum that a buffer of some capacity keeps. */
  public static int perStratum(int capacity) {
    return Math.max(1, capacity / STRATA);
  }

  /** Class of a decision: mean expected CPU of the candidates, pod's share of a node. */
  public static int stratum(double load, double podFraction) {
    int l = (int) Math.max(0, Math.min(LOADS - 1, load * LOADS));
    int s = podFraction < 0.005 ? 0 : podFraction < 0.015 ? 1 : podFraction < 0.05 ? 2 : 3;
    return l * SIZES + s;
  }

  public void add(Transition t) {
    Transition gone = strata.get(t.stratum()).add(t);
    if (gone == null) {
      size++;
    } else {
      gone.next = null;
    }
  }

  /** Writes all strata, and which transition follows which. */
  public void write(DataOutput out) throws IOException {
    Map<Transition, Integer> numbers = new IdentityHashMap<>();
    List<Transition> all = new ArrayList<>();
    for (int s = 0; s < STRATA; s++) {
      out.writeInt(strata.get(s).size());
      out.writeInt(strata.get(s).oldest());
      for (Transition t : strata.get(s).entries()) {
        numbers.put(t, all.size());
        all.add(t);
        t.write(out);
      }
    }
    for (Transition t : all) {
      // A follower that was overwritten meanwhile is written out with its predecessor.
      Transition next = t.next;
      if (next == null) {
        out.writeInt(-1);
      } else if (numbers.containsKey(next)) {
        out.writeInt(numbers.get(next));
      } else {
        out.writeInt(-2);
        next.write(out);
      }
    }
  }

  /** Reads what {@link #write} wrote. */
  public static ReplayBuffer read(int capacity, DataInput in) throws IOException {
    ReplayBuffer buffer = new ReplayBuffer(capacity);
    List<Transition> all = new ArrayList<>();
    for (int s = 0; s < STRATA; s++) {
      int count = in.readInt();
      int oldest = in.readInt();
      List<Transition> entries = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        entries.add(Transition.read(in));
      }
      buffer.strata.set(s, new Ring<>(buffer.perStratum, entries, oldest));
      all.addAll(entries);
    }
    buffer.size = all.size();
    for (Transition t : all) {
      int number = in.readInt();
      t.next = number == -2 ? Transition.read(in) : number < 0 ? null : all.get(number);
    }
    return buffer;
  }

  public int size() {
    return size;
  }

  /** Draws with replacement; the buffer must not be empty. */
  public List<Transition> sample(int count, RandomGenerator random) {
    List<Ring<Transition>> filled = strata.stream().filter(s -> s.size() > 0).toList();
    if (filled.isEmpty()) {
      throw new IllegalStateException("the replay buffer is empty: add transitions first");
    }
    List<Transition> out = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      // A stratum counts by the root of its size: rare ones are drawn more often than they come,
      // and never only they.
      out.add(prioritised(filled.get(weighted(filled, random)), random));
    }
    return out;
  }

  private static int weighted(List<Ring<Transition>> filled, RandomGenerator random) {
    double total = 0;
    for (Ring<Transition> s : filled) {
      total += Math.sqrt(s.size());
    }
    double u = random.nextDouble() * total;
    int i = 0;
    while (i < filled.size() - 1 && (u -= Math.sqrt(filled.get(i).size())) > 0) {
      i++;
    }
    return i;
  }

  /** The one of two uniform draws with the higher priority, three times out of four. */
  private static Transition prioritised(Ring<Transition> ring, RandomGenerator random) {
    Transition a = ring.any(random);
    Transition b = ring.any(random);
    boolean first = a.priority >= b.priority;
    return (random.nextDouble() < 0.75) == first ? a : b;
  }
}
