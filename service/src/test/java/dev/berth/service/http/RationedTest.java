package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RationedTest {
  private final AtomicLong now = new AtomicLong();
  private final AtomicLong made = new AtomicLong();
  private final Rationed<Long> rationed =
      new Rationed<>(
          () -> {
            now.addAndGet(TimeUnit.MILLISECONDS.toNanos(50));
            return made.incrementAndGet();
          },
          now::get);

  @Test
  void whoAsksNowAndThenGetsWhatIsTrueNow() {
    for (long i = 1; i <= 100; i++) {
      assertThat(rationed.get()).isEqualTo(i);
      now.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
  }

  @Test
  void whoAsksOnAndOnCostsATenthOfTheTime() {
    long end = TimeUnit.SECONDS.toNanos(100);
    while (now.get() < end) {
      rationed.get();
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(1));
    }
    // A second was saved before.
    assertThat(made.get()).isBetween(200L, 225L);
  }
}
