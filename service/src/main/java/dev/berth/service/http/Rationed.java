package dev.berth.service.http;

import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What everybody may ask for as often as he likes, though it takes a while to make: made for each
 * who asks as long as that takes a tenth of the time, in the mean over ten seconds; beyond, the one
 * before is good enough.
 *
 * <p>Thread-safe: one makes it at a time, and the others wait for that.
 */
final class Rationed<T> implements Supplier<T> {
  private static final int SHARE = 10;
  private static final long MOST_SAVED_NANOS = 1_000_000_000;

  private final Supplier<T> made;
  private final LongSupplier nanoTime;
  private long saved = MOST_SAVED_NANOS;
  private long countedAt;
  private @Nullable T last;

  Rationed(Supplier<T> made, LongSupplier nanoTime) {
    this.made = made;
    this.nanoTime = nanoTime;
    this.countedAt = nanoTime.getAsLong();
  }

  @Override
  public synchronized T get() {
    long begun = nanoTime.getAsLong();
    saved = Math.min(MOST_SAVED_NANOS, saved + (begun - countedAt) / SHARE);
    countedAt = begun;
    T now = last;
    if (now == null || saved > 0) {
      now = made.get();
      last = now;
      saved -= nanoTime.getAsLong() - begun;
    }
    return now;
  }
}
