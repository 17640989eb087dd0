package dev.berth.service.scoring;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts decisions since the start, by the model version that made them. Thread-safe. */
public final class Tally {
  private final long firstVersion;
  private final Map<Long, LongAdder> byVersion = new ConcurrentSkipListMap<>();
  private final LongAdder neutral = new LongAdder();

  Tally(long firstVersion) {
    this.firstVersion = firstVersion;
  }

  void count(long version, boolean wasNeutral) {
    byVersion.computeIfAbsent(version, v -> new LongAdder()).increment();
    if (wasNeutral) {
      neutral.increment();
    }
  }

  public long decisions() {
    return byVersion.values().stream().mapToLong(LongAdder::sum).sum();
  }

  public long neutral() {
    return neutral.sum();
  }

  /** Versions that made at least one decision, oldest first. */
  public List<Long> versions() {
    return List.copyOf(byVersion.keySet());
  }

  /** Decisions by versions newer than the one that served at the start. */
  public long byNewerModels() {
    return byVersion.entrySet().stream()
        .filter(e -> e.getKey() > firstVersion)
        .mapToLong(e -> e.getValue().sum())
        .sum();
  }
}
