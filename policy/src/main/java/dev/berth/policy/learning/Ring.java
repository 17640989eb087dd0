package dev.berth.policy.learning;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The newest of what was added, up to a capacity: the experience that replay draws from.
 *
 * <p>Thread rule: one thread.
 */
public final class Ring<T> {
  private final int capacity;
  private final List<T> entries = new ArrayList<>();
  private int oldest;

  /**
   * @param capacity at least 1
   */
  public Ring(int capacity) {
    this(capacity, List.of(), 0);
  }

  /**
   * A ring as it was.
   *
   * @param oldest entry that is overwritten first once the ring is full
   */
  public Ring(int capacity, List<T> entries, int oldest) {
    if (capacity < 1 || entries.size() > capacity || oldest < 0 || oldest >= capacity) {
      throw new IllegalArgumentException(
          "a ring of capacity %d cannot hold %d entries with number %d the oldest"
              .formatted(capacity, entries.size(), oldest));
    }
    this.capacity = capacity;
    this.entries.addAll(entries);
    this.oldest = oldest;
  }

  /** Adds an entry; returns the one that had to go, null while there is room. */
  public @Nullable T add(T entry) {
    if (entries.size() < capacity) {
      entries.add(entry);
      return null;
    }
    T gone = entries.set(oldest, entry);
    oldest = (oldest + 1) % capacity;
    return gone;
  }

  /** In order of their places, not of their age. */
  public List<T> entries() {
    return entries;
  }

  /** Place that is overwritten next once the ring is full. */
  public int oldest() {
    return oldest;
  }

  public int size() {
    return entries.size();
  }

  /** Any entry, each as likely; the ring must not be empty. */
  public T any(RandomGenerator random) {
    return entries.get(random.nextInt(entries.size()));
  }
}
