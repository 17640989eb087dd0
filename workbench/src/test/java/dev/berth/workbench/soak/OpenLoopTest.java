package dev.berth.workbench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OpenLoopTest {
  private static final long MILLI = 1_000_000;

  private final AtomicLong now = new AtomicLong(7_000_000_000L);
  private final OpenLoop loop = new OpenLoop(20, now::get, now::addAndGet);

  @Test
  void decisionsAreDueAtASteadyRate() throws InterruptedException {
    long start = now.get();
    for (int i = 0; i < 100; i++) {
      assertThat(loop.await()).isEqualTo(start + i * 50 * MILLI);
      assertThat(now.get()).isEqualTo(start + i * 50 * MILLI);
    }
  }

  /** One answer takes a second: the twenty decisions that it held up were late too. */
  @Test
  void aStallCountsForEveryDecisionThatItHeldUp() throws InterruptedException {
    List<Long> millis = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      long due = loop.await();
      now.addAndGet(i == 5 ? 1_000 * MILLI : MILLI);
      millis.add((now.get() - due) / MILLI);
    }
    assertThat(millis.subList(0, 5)).containsOnly(1L);
    assertThat(millis.subList(5, 8)).containsExactly(1_000L, 951L, 902L);
    assertThat(millis.stream().filter(m -> m > 1)).hasSize(21);
    assertThat(millis.subList(26, 30)).containsOnly(1L);
  }

  @Test
  void aRateThatDoesNotDivideASecondDoesNotDrift() throws InterruptedException {
    OpenLoop thirds = new OpenLoop(3, now::get, now::addAndGet);
    long start = now.get();
    for (int i = 0; i < 3_000; i++) {
      thirds.await();
    }
    assertThat(thirds.due() - start).isEqualTo(1_000_000 * MILLI);
  }

  /** A sleep may end early; nothing is sent before it is due. */
  @Test
  void aShortSleepIsSleptAgain() throws InterruptedException {
    OpenLoop drowsy = new OpenLoop(1, now::get, nanos -> now.addAndGet((nanos + 1) / 2));
    drowsy.await();
    long due = drowsy.await();
    assertThat(now.get()).isEqualTo(due);
  }
}
