package dev.berth.service.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class TasksTest {
  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final Tasks tasks = new Tasks(task -> () -> failures.add(task));

  @Test
  void aTimerWhoseTaskFailsIsCountedAndGoesOn() throws InterruptedException {
    CountDownLatch turns = new CountDownLatch(3);
    ExecutorService timer =
        tasks.every(
            "owner-checkpoint",
            Duration.ofMillis(1),
            () -> {
              turns.countDown();
              throw new NoClassDefFoundError("a native library is gone");
            });
    turns.await();
    timer.shutdownNow();
    assertThat(failures.size()).isGreaterThanOrEqualTo(2);
    assertThat(failures).containsOnly("owner-checkpoint");
  }

  @Test
  void aLoopWhoseStepFailsIsCountedAndTakesTheNextOne() throws InterruptedException {
    CountDownLatch second = new CountDownLatch(2);
    Loop loop =
        tasks
            .loop(
                "store-writer",
                () -> {
                  second.countDown();
                  if (second.getCount() == 1) {
                    throw new IllegalStateException("first");
                  }
                  TimeUnit.MILLISECONDS.sleep(1);
                  return false;
                })
            .start();
    second.await();
    assertThat(failures).containsExactly("store-writer");
    assertThat(loop.alive()).isTrue();
    loop.close(Duration.ofSeconds(10));
    assertThat(loop.alive()).isFalse();
  }

  @Test
  void aLoopThatIsClosedFirstDoesWhatIsLeft() {
    LinkedBlockingQueue<Integer> work = new LinkedBlockingQueue<>(List.of(1, 2, 3, 4, 5));
    AtomicInteger sum = new AtomicInteger();
    Loop loop =
        tasks.loop(
            "after-decision",
            () -> {
              Integer next = work.poll(1, TimeUnit.MILLISECONDS);
              sum.addAndGet(next == null ? 0 : next);
              return next != null;
            });
    loop.start().close(Duration.ofSeconds(10));
    assertThat(sum).hasValue(15);
  }

  @Test
  void everyThreadIsADaemonNamedAfterItsTask() throws Exception {
    Thread inPool =
        tasks.pool("prometheus-query", 1).submit(Thread::currentThread).get(10, TimeUnit.SECONDS);
    assertThat(inPool.getName()).startsWith("prometheus-query");
    assertThat(inPool.isDaemon()).isTrue();
    assertThat(tasks.thread("trainer", () -> {}).isDaemon()).isTrue();
  }
}
