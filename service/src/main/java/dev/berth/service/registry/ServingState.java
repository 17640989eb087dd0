package dev.berth.service.registry;

import java.util.List;

/**
 * Which version serves.
 *
 * @param version 0 when none was promoted yet
 * @param pinned a rollback holds this version until {@code berth models unpin}
 * @param before versions that served earlier, oldest first
 */
public record ServingState(long version, boolean pinned, List<Long> before) {
  static final ServingState NONE = new ServingState(0, false, List.of());

  public ServingState {
    before = List.copyOf(before);
  }
}
