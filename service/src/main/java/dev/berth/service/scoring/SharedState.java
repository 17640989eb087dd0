package dev.berth.service.scoring;

import dev.berth.policy.state.ClusterState;
import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The cluster state, the one lock that guards it, the clock that its times are read from, and the
 * journal of what happens to it.
 *
 * <p>kube-scheduler sends one request at a time, so the lock is almost always free. A score keeps
 * it while it ranks; whoever else takes it, for about a millisecond: a score may be waiting.
 */
public final class SharedState {
  /**
   * How long a question tries before it goes to sleep, from which it would wake up a millisecond
   * late where all cores have work. It yields meanwhile: who has the lock may have been put aside
   * for this very thread.
   */
  private static final long TRIES_NANOS = 500_000;

  /** Questions in a row that go before those who wait: then it is the turn of these. */
  private static final int MOST_OVERTAKES = 16;

  /** Fair: else who takes in a long batch has the lock again before a waiting question wakes up. */
  private final ReentrantLock lock = new ReentrantLock(true);

  private final ClusterState state;
  private final Clock clock;
  private final Journal journal;

  /** Written by whoever holds the lock. */
  private volatile int overtakes;

  public SharedState(ClusterState state, Clock clock) {
    this(state, clock, Journal.NONE);
  }

  public SharedState(ClusterState state, Clock clock, Journal journal) {
    this.state = state;
    this.clock = clock;
    this.journal = journal;
  }

  /** Seconds since the epoch. */
  public double now() {
    Instant now = clock.instant();
    return now.getEpochSecond() + now.getNano() * 1e-9;
  }

  /** Reads or changes the state under the lock. */
  public void with(Consumer<ClusterState> work) {
    lock.lock();
    try {
      work.accept(state);
    } finally {
      lock.unlock();
    }
  }

  /** Reads something of the state under the lock. */
  public <T> T read(Function<ClusterState, T> reader) {
    lock.lock();
    try {
      return reader.apply(state);
    } finally {
      lock.unlock();
    }
  }

  /** For what is too long for a lambda: see {@link #state}, then {@link #unlock}. */
  void lock() {
    lock.lock();
  }

  /** The same for a question, which goes before those that wait, though not for ever. */
  void lockFirst() {
    long end = System.nanoTime() + TRIES_NANOS;
    while (overtakes < MOST_OVERTAKES && System.nanoTime() - end < 0) {
      if (lock.tryLock()) {
        overtakes = lock.hasQueuedThreads() ? overtakes + 1 : 0;
        return;
      }
      Thread.yield();
    }
    lock.lock();
    overtakes = 0;
  }

  void unlock() {
    lock.unlock();
  }

  /** Told by whoever holds the lock. */
  Journal journal() {
    return journal;
  }

  /** Read and written by whoever holds the lock. */
  ClusterState state() {
    return state;
  }
}
