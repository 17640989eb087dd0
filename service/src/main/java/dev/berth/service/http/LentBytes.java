package dev.berth.service.http;

import java.util.concurrent.atomic.AtomicLong;

/** A share of the heap that a port's clients have together. Thread-safe. */
final class LentBytes {
  private static final int HEAP_SHARE = 8;

  private final long most;
  private final AtomicLong lent = new AtomicLong();

  LentBytes(long most) {
    this.most = most;
  }

  /** An eighth of the heap, or {@code least} where that is more. */
  static LentBytes ofTheHeap(long least) {
    return new LentBytes(Math.max(least, Runtime.getRuntime().maxMemory() / HEAP_SHARE));
  }

  /**
   * @return false when the others have them; nothing is lent then
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

  /** Bytes that are lent now. */
  long lent() {
    return lent.get();
  }
}
