package dev.berth.service.queue;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Keeps the newest entries by key: beyond a number the one that was put first goes. Putting a known
 * key again makes it no newer. Not thread-safe.
 */
public final class Newest<V> extends LinkedHashMap<String, V> {
  private static final long serialVersionUID = 1L;
  private final int kept;

  /**
   * @param kept entries
   */
  public Newest(int kept) {
    this.kept = kept;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
    return size() > kept;
  }
}
