package dev.berth.service;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The machine's clock, but for being put back: then it goes on from where it was. Samples are taken
 * in their order and age by this clock, so one that was put back by three hours would leave three
 * hours of them unread, and the last for fresh. Times of Prometheus and of schedulers are moved to
 * this clock, so it need not be right; it has to go on. Thread-safe.
 */
final class SteadyClock implements InstantSource {
  /** Of less nobody need hear: time servers put clocks right by that. */
  private static final Duration PUT_BACK = Duration.ofSeconds(2);

  private final InstantSource machine;
  private final LongSupplier nanos;
  private Instant last;
  private long lastNanos;
  private Duration ahead = Duration.ZERO;

  /**
   * @param nanos that pass whatever the machine's clock says, {@link System#nanoTime}
   */
  SteadyClock(InstantSource machine, LongSupplier nanos) {
    this.machine = machine;
    this.nanos = nanos;
    this.last = machine.instant();
    this.lastNanos = nanos.getAsLong();
  }

  @Override
  public synchronized Instant instant() {
    // First the time that passed: a pause between the two must not look like a clock put back.
    long now = nanos.getAsLong();
    Instant told = machine.instant();
    Instant passed = last.plusNanos(now - lastNanos);
    last = told.isBefore(passed) ? passed : told;
    lastNanos = now;
    ahead = Duration.between(told, last);
    return last;
  }

  /** That the machine's clock was put back, and the mend. */
  synchronized Optional<String> healthProblem() {
    instant();
    return ahead.compareTo(PUT_BACK) < 0
        ? Optional.empty()
        : Optional.of(
            "this machine's clock was put back by %d s while the service ran, which goes on by the time before: restart the service"
                .formatted(ahead.toSeconds()));
  }
}
