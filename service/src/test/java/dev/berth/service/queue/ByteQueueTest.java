package dev.berth.service.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ByteQueueTest {
  private final List<String> pushedOut = new ArrayList<>();
  private final ByteQueue<String> queue = new ByteQueue<>(100, pushedOut::add);

  @Test
  void whatDoesNotFitPushesTheOldestOut() {
    queue.offer("a", 40);
    queue.offer("b", 40);
    queue.offer("c", 60);
    assertThat(pushedOut).containsExactly("a");
    assertThat(queue.bytes()).isEqualTo(100);
    assertThat(queue.dropped()).isEqualTo(1);
    assertThat(queue.poll()).isEqualTo("b");
    assertThat(queue.poll()).isEqualTo("c");
    assertThat(queue.poll()).isNull();
    assertThat(queue.bytes()).isZero();
  }

  @Test
  void whatIsLargerThanAllThatMayWaitIsDroppedAlone() {
    queue.offer("a", 40);
    assertThat(queue.offer("huge", 101)).isFalse();
    assertThat(pushedOut).containsExactly("huge");
    assertThat(queue.size()).isEqualTo(1);
  }

  @Test
  void itIsCrowdedAboveAQuarter() {
    queue.offer("a", 25);
    assertThat(queue.crowded()).isFalse();
    queue.offer("b", 1);
    assertThat(queue.crowded()).isTrue();
    queue.poll();
    assertThat(queue.crowded()).isFalse();
  }

  @Test
  void whoWaitsIsWoken() throws Exception {
    Thread later = new Thread(() -> queue.offer("a", 1));
    later.start();
    assertThat(queue.poll(20, TimeUnit.SECONDS)).isEqualTo("a");
    later.join();
  }

  @Test
  void manyThreadsLoseNothingUncounted() throws Exception {
    ByteQueue<Integer> shared = new ByteQueue<>(50);
    int each = 20_000;
    List<Thread> writers = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      writers.add(
          new Thread(
              () -> {
                for (int i = 0; i < each; i++) {
                  shared.offer(i, 1 + i % 7);
                }
              }));
    }
    writers.forEach(Thread::start);
    long taken = 0;
    while (writers.stream().anyMatch(Thread::isAlive) || shared.size() > 0) {
      assertThat(shared.bytes()).isBetween(0L, 50L);
      taken += shared.poll() == null ? 0 : 1;
    }
    assertThat(taken + shared.dropped()).isEqualTo(3 * each);
    assertThat(shared.bytes()).isZero();
  }
}
