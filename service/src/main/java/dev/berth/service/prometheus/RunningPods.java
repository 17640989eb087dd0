package dev.berth.service.prometheus;

import org.jspecify.annotations.Nullable;

/** Who runs where, for series know pods by their names alone. Thread-safe. */
@FunctionalInterface
public interface RunningPods {
  /** Knows nobody. */
  RunningPods NONE = (namespace, name) -> null;

  /** One of them. */
  record Running(String uid, String node) {}

  /** The pod that has this name now; null when none has that is known. */
  @Nullable Running named(String namespace, String name);
}
