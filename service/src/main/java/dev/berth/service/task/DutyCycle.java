package dev.berth.service.task;

import java.util.function.LongSupplier;

/**
 * Lets work that is nobody's hurry have at most a twentieth of the time: one piece after another,
 * and after each a rest of nineteen times as long as it took, two seconds at most. Thread-safe.
 */
public final class DutyCycle {
  private static final int REST = 19;
  private static final long MAX_REST = 2_000_000_000;

  private final LongSupplier nanoTime;
  private boolean busy;
  private long begun;
  private long freeAt;

  public DutyCycle(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.freeAt = nanoTime.getAsLong();
  }

  /** Whether the caller may begin now; then it must {@link #end}. */
  public synchronized boolean begin() {
    long now = nanoTime.getAsLong();
    if (busy || now - freeAt < 0) {
      return false;
    }
    busy = true;
    begun = now;
    return true;
  }

  public synchronized void end() {
    long now = nanoTime.getAsLong();
    busy = false;
    freeAt = now + Math.min(MAX_REST, REST * (now - begun));
  }
}
