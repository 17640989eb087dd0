package dev.berth.service.metrics;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Quantiles of a duration since the start, exact to 0.1 %. Thread-safe; recording never waits. */
public final class Latency {
  private static final long MAX_NANOS = 60_000_000_000L;
  private final ConcurrentHistogram nanos = new ConcurrentHistogram(MAX_NANOS, 3);

  public void record(long durationNanos) {
    nanos.recordValue(Math.max(0, Math.min(MAX_NANOS, durationNanos)));
  }

  /** Milliseconds; zeros before the first measurement. */
  public Quantiles quantiles() {
    Histogram copy = nanos.copy();
    return new Quantiles(
        copy.getValueAtPercentile(50) / 1e6,
        copy.getValueAtPercentile(99) / 1e6,
        copy.getMaxValue() / 1e6);
  }

  /** In milliseconds. */
  public record Quantiles(double p50, double p99, double max) {}
}
