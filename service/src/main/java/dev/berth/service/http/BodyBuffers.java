package dev.berth.service.http;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
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

  /** Between two requests; a score request of 5,000 candidates fits into the largest. */
  private final BlockingQueue<byte[]> spare = new ArrayBlockingQueue<>(8);

  private final int largest;
  private final LentBytes lent;

  /**
   * @param largest bytes of one body
   * @param lent of all bodies, beyond their first {@link #FIRST}
   */
  BodyBuffers(long largest, LentBytes lent) {
    this.largest = Math.toIntExact(largest);
    this.lent = lent;
  }

  /** Bytes that one body may have. */
  int largest() {
    return largest;
  }

  /** For a body that begins. */
  byte[] first() {
    byte[] used = spare.poll();
    return used != null && lent.lend(used.length - FIRST) ? used : new byte[FIRST];
  }

  /**
   * In place of one that is too small, with what it holds.
   *
   * @param length that are needed, at most {@link #largest}
   * @return null when the others have all of it; {@code small} is given back by its owner then
   */
  byte @Nullable [] larger(byte[] small, int length) {
    int size = Math.max(length, Math.min(largest, 2 * small.length));
    return lent.lend(size - small.length) ? Arrays.copyOf(small, size) : null;
  }

  void giveBack(byte[] bytes) {
    lent.giveBack(bytes.length - FIRST);
    if (bytes.length <= KEEP) {
      spare.offer(bytes);
    }
  }
}
