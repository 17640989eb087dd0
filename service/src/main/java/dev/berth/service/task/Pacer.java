package dev.berth.service.task;

import java.util.concurrent.locks.LockSupport;

/**
 * Gives its thread's core up for a moment after every tenth of a millisecond of work that nobody
 * waits for (of time since its last rest, to be exact: what it waited counts). Else the kernel lets
 * the thread finish its slice of some 4 ms while a question waits; {@link Thread#yield} does not
 * end that slice, sleeping does. Whoever wakes from its rest may take a core from a question, too,
 * so it must not keep it for long. It has half of a core at most: whoever falls behind must not
 * rest.
 *
 * <p>Thread rule: one thread.
 */
public final class Pacer {
  private static final long WORK_NANOS = 100_000;
  private static final long REST_NANOS = 100_000;

  private long rested = System.nanoTime();

  /** To be called between two pieces of work; rests if the last rest is long ago. */
  public void pace() {
    if (System.nanoTime() - rested >= WORK_NANOS) {
      LockSupport.parkNanos(REST_NANOS);
      rested = System.nanoTime();
    }
  }
}
