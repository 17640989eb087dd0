package dev.berth.service.registry;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which version serves.
 *
 * @param version 0 when none was promoted yet
 * @param pinned a rollback holds this version until {@code berth models unpin}
 * @param before versions that served earlier, oldest first
 * @param trial version that serves for half of the owners, to be compared; null for none
 */
public record ServingState(
    long version,
    boolean pinned,
    List<Long> before,
    @JsonProperty(required = false) @Nullable Long trial) {
  static final ServingState NONE = new ServingState(0, false, List.of());

  public ServingState {
    before = List.copyOf(before);
  }

  /** Without a trial. */
  public ServingState(long version, boolean pinned, List<Long> before) {
    this(version, pinned, before, null);
  }

  boolean onTrial(long other) {
    return trial != null && trial == other;
  }
}
