package dev.berth.service.http;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a port's bodies that arrive or are being read, bounded for all of them together:
 * whoever sends many large ones and finishes none of them takes this much and no more. A small body
 * always has its place, so that large ones keep no small question out: there are no more of them
 * than connections.
 *
 * <p>Thread rule: any thread; an array is one body's until it is given back.
 */
final class BodyBuffers {
  private static final int FIRST = 1 << 16;
  private static final int KEEP = 1 << 21;
  private static final int HEAP_SHARE = 8;

  /** Between two requests; a score request of 5,000 candidates fits into the largest. */
  private final BlockingQueue<byte[]> spare = new ArrayBlockingQueue<>(8);

  private final int largest;
  private final long most;
  private final AtomicLong lent = new AtomicLong();

  /**
   * @param largest bytes of one body
   * @param most bytes of all bodies beyond their first {@link #FIRST}
   */
  BodyBuffers(long largest, long most) {
    this.largest = Math.toIntExact(largest);
    this.most = Math.max(largest, most);
  }

  /** An eighth of the heap, or one body where that is more. */
  static BodyBuffers of(long largest) {
    return new BodyBuffers(largest, Runtime.getRuntime().maxMemory() / HEAP_SHARE);
  }

  /** Bytes that one body may have. */
  int largest() {
    return largest;
  }

  /** Bytes that all bodies have now beyond their first {@link #FIRST}. */
  long lent() {
    return lent.get();
  }

  /** For a body that begins. */
  byte[] first() {
    byte[] used = spare.poll();
    return used != null && lend(used.length - FIRST) ? used : new byte[FIRST];
  }

  /**
   * In place of one that is too small, with what it holds.
   *
   * @param length that are needed, at most {@link #largest}
   * @return null when the others have all of it; {@code small} is given back by its owner then
   */
  byte @Nullable [] larger(byte[] small, int length) {
    int size = Math.max(length, Math.min(largest, 2 * small.length));
    return lend(size - small.length) ? Arrays.copyOf(small, size) : null;
  }

  void giveBack(byte[] bytes) {
    lent.addAndGet(FIRST - bytes.length);
    if (bytes.length <= KEEP) {
      spare.offer(bytes);
    }
  }

  private boolean lend(int bytes) {
    if (lent.addAndGet(bytes) <= most) {
      return true;
    }
    lent.addAndGet(-bytes);
    return false;
  }
}
