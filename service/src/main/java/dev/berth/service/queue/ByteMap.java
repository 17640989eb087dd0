package dev.berth.service.queue;

import java.util.Iterator;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What waits for something under a name, for as many bytes as are given: beyond them the eldest are
 * let go, and counted. Not thread-safe.
 */
public final class ByteMap<V> {

  private record Entry<V>(V value, long bytes) {}

  private final long limit;
  private final LinkedHashMap<String, Entry<V>> entries = new LinkedHashMap<>();
  private long bytes;
  private long letGo;

  public ByteMap(long limit) {
    this.limit = limit;
  }

  /** Keeps a value, instead of the one before under that name. */
  public void put(String name, V value, long size) {
    take(name);
    entries.put(name, new Entry<>(value, size));
    bytes += size;
    Iterator<Entry<V>> eldest = entries.values().iterator();
    while (bytes > limit) {
      bytes -= eldest.next().bytes();
      eldest.remove();
      letGo++;
    }
  }

  /** What waits under that name; null where nothing does. */
  public @Nullable V get(String name) {
    Entry<V> found = entries.get(name);
    return found == null ? null : found.value();
  }

  /** What waited under that name, and does no longer; null where nothing did. */
  public @Nullable V take(String name) {
    Entry<V> found = entries.remove(name);
    if (found == null) {
      return null;
    }
    bytes -= found.bytes();
    return found.value();
  }

  /** How many were let go. */
  public long letGo() {
    return letGo;
  }
}
