package dev.berth.service.task;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Lets work that is nobody's hurry have at most a twentieth of the time: one piece after another,
 * and after each a rest of nineteen times as long as it took, though none too long. Thread-safe.
 */
public final class DutyCycle {
  private static final int REST = 19;
  private static final Duration SHORT = Duration.ofSeconds(2);

  private final LongSupplier nanoTime;
  private final long longestRest;
  private boolean busy;
  private long begun;
  private long freeAt;

  /** Rests two seconds at most. */
  public DutyCycle(LongSupplier nanoTime) {
    this(nanoTime, SHORT);
  }

  public DutyCycle(LongSupplier nanoTime, Duration longestRest) {
    this.nanoTime = nanoTime;
    this.longestRest = longestRest.toNanos();
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
    freeAt = now + Math.min(longestRest, REST * (now - begun));
  }
}
