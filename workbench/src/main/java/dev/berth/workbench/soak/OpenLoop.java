package dev.berth.workbench.soak;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When decisions are due: at a steady rate, whatever the answers to those before did. Who measures
 * from the due time sees a stall in every decision that it held up, and not only in the one that
 * was under way (coordinated omission). One thread.
 */
final class OpenLoop {

  /** Lets time pass. */
  @FunctionalInterface
  interface Sleeper {
    void sleep(long nanos) throws InterruptedException;
  }

  private final double periodNanos;
  private final LongSupplier clock;
  private final Sleeper sleeper;
  private final long start;
  private long planned;

  OpenLoop(int perSecond) {
    this(perSecond, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
  }

  OpenLoop(int perSecond, LongSupplier clock, Sleeper sleeper) {
    this.periodNanos = 1e9 / perSecond;
    this.clock = clock;
    this.sleeper = sleeper;
    this.start = clock.getAsLong();
  }

  /** When the next one is due, on the clock of nanoseconds. */
  long due() {
    return start + Math.round(planned * periodNanos);
  }

  /** Waits for the next one, not at all when it is overdue; returns when it was due. */
  long await() throws InterruptedException {
    long due = due();
    planned++;
    for (long left = due - clock.getAsLong(); left > 0; left = due - clock.getAsLong()) {
      sleeper.sleep(left);
    }
    return due;
  }
}
