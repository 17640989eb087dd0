package dev.berth.service;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Runs some times as fast as the machine's, and can be put forward and back. Thread-safe. */
public final class FastClock extends Clock {
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

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("UTC only");
  }
}
