package dev.berth.service;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Runs some times as fast as the machine's, and can be put forward and back. Thread-safe. */
public final class FastClock implements InstantSource {
  private final Instant start = Instant.now();
  private final long begun = System.nanoTime();
  private final int times;
  private volatile Duration put = Duration.ZERO;

  public FastClock(int times) {
    this.times = times;
  }

  /** Puts it forward, or back, from where it would be. */
  public void put(Duration by) {
    put = by;
  }

  /** What passes whatever the clock says. */
  long nanos() {
    return times * (System.nanoTime() - begun);
  }

  @Override
  public Instant instant() {
    return start.plusNanos(nanos()).plus(put);
  }
}
