package dev.berth.service.queue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * First in, first out, for as many bytes as are given: what does not fit pushes the oldest out,
 * which are counted. Nobody ever waits to put something in. Thread-safe.
 */
public final class ByteQueue<T> {

  private record Item<T>(T value, long bytes) {}

  private final long limit;
  private final Consumer<? super T> pushedOut;
  private final Deque<Item<T>> items = new ArrayDeque<>();
  private long bytes;
  private long dropped;

  public ByteQueue(long limit) {
    this(limit, item -> {});
  }

  /**
   * @param pushedOut told of every item that is dropped, on the thread that put another in
   */
  public ByteQueue(long limit, Consumer<? super T> pushedOut) {
    this.limit = limit;
    this.pushedOut = pushedOut;
  }

  /**
   * Puts an item in.
   *
   * @param size its bytes on the heap, about
   * @return false if it alone is larger than all that may wait: it is dropped and counted
   */
  public boolean offer(T value, long size) {
    List<T> out = new ArrayList<>();
    boolean fits = size <= limit;
    synchronized (this) {
      while (fits && bytes + size > limit) {
        out.add(remove().value());
      }
      dropped += out.size() + (fits ? 0 : 1);
      if (fits) {
        items.addLast(new Item<>(value, size));
        bytes += size;
        notifyAll();
      }
    }
    out.forEach(pushedOut);
    if (!fits) {
      pushedOut.accept(value);
    }
    return fits;
  }

  private Item<T> remove() {
    Item<T> first = items.removeFirst();
    bytes -= first.bytes();
    return first;
  }

  /** Takes the oldest out; null if there is none within the time. */
  public synchronized @Nullable T poll(long timeout, TimeUnit unit) throws InterruptedException {
    long end = System.nanoTime() + unit.toNanos(timeout);
    while (items.isEmpty()) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        return null;
      }
      wait(left);
    }
    return remove().value();
  }

  /** Takes the oldest out; null if there is none. */
  public synchronized @Nullable T poll() {
    return items.isEmpty() ? null : remove().value();
  }

  /** Takes out at most so many, oldest first. */
  public synchronized void drainTo(Collection<? super T> out, int most) {
    for (int i = 0; i < most && !items.isEmpty(); i++) {
      out.add(remove().value());
    }
  }

  public synchronized int size() {
    return items.size();
  }

  public synchronized long bytes() {
    return bytes;
  }

  /** More than a quarter full: whoever takes them out is behind and must not rest. */
  public synchronized boolean crowded() {
    return bytes > limit / 4;
  }

  /** Items pushed out so far. */
  public synchronized long dropped() {
    return dropped;
  }
}
