package dev.berth.service.http;

import java.util.concurrent.atomic.AtomicLong;

/** A share of the heap that a port's clients have together. Thread-safe. */
final class LentBytes {
  private static final int HEAP_SHARE = 8;

  /** For each of two ports, of the 256 MiB (MaxDirectMemorySize) that the start scripts allow. */
  private static final long MOST_OUTSIDE = 96 << 20;

  private final long most;
  private final AtomicLong lent = new AtomicLong();

  LentBytes(long most) {
    this.most = most;
  }

  /** An eighth of the heap, or {@code least} where that is more. */
  static LentBytes ofTheHeap(long least) {
    return new LentBytes(Math.max(least, ofTheHeap()));
  }

  /** The same of what lies outside of the heap, of which there is no more where that is larger. */
  static LentBytes outsideOfTheHeap() {
    return new LentBytes(Math.min(MOST_OUTSIDE, ofTheHeap()));
  }

  private static long ofTheHeap() {
    return Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  }

  /**
   * @return false when the others have them; nothing is lent then
   */
  boolean lend(int bytes) {
    long before = lent.get();
    while (before + bytes <= most) { // a refused one must not stand in the way of a smaller one
      if (lent.compareAndSet(before, before + bytes)) {
        return true;
      }
      before = lent.get();
    }
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
