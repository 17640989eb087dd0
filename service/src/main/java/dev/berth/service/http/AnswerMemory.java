package dev.berth.service.http;

import io.javalin.config.Key;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of a port's answers that their clients have not read yet, bounded for all of them
 * together: Jetty keeps each outside of the heap until its last byte is on the way. A small one
 * always has its place, so that people who ask for much keep no probe out: there are no more of
 * them than connections.
 *
 * <p>Thread rule: any thread.
 */
final class AnswerMemory {
  static final Key<AnswerMemory> KEY = new Key<>("answers");
  private static final int SMALL = 1 << 16;
  private static final int HEAP_SHARE = 8;

  private final long most;
  private final AtomicLong lent = new AtomicLong();

  /**
   * @param most bytes of all answers that are not small
   */
  AnswerMemory(long most) {
    this.most = most;
  }

  /** An eighth of the heap. */
  static AnswerMemory ofTheHeap() {
    return new AnswerMemory(Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /** Whether an answer of so many bytes counts. */
  static boolean counts(int bytes) {
    return bytes > SMALL;
  }

  /**
   * @return false when the others have it; nothing is lent then
   */
  boolean lend(int bytes) {
    if (lent.addAndGet(bytes) <= most) {
      return true;
    }
    lent.addAndGet(-bytes);
    return false;
  }

  void giveBack(int bytes) {
    lent.addAndGet(-bytes);
  }
}
