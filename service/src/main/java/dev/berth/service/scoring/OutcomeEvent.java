package dev.berth.service.scoring;

import dev.berth.policy.cluster.Pod;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What became of a pod. Events are idempotent: delivery at least once is enough.
 *
 * @param at seconds since the epoch
 * @param decision decision that placed the pod, null when none did
 * @param node null only for {@code GONE} and {@code UNRESERVED}
 * @param pod null only for {@code GONE} and {@code UNRESERVED}
 */
public record OutcomeEvent(
    Type type,
    double at,
    @Nullable String decision,
    String uid,
    @Nullable String node,
    @Nullable Pod pod) {

  /** Kinds of events, as in api/README.md. */
  public enum Type {
    RESERVED,
    UNRESERVED,
    BOUND,
    GONE,
    /** Part of the full list of running pods. */
    ASSIGNED;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
      return wireName;
    }

    public boolean places() {
      return this == RESERVED || this == BOUND || this == ASSIGNED;
    }

    public static Type of(String wireName) {
      for (Type type : values()) {
        if (type.wireName.equals(wireName)) {
          return type;
        }
      }
      throw new IllegalArgumentException(
          "type '" + wireName + "' is unknown: use reserved, unreserved, bound, gone or assigned");
    }
  }

  public OutcomeEvent {
    if (type.places() && (pod == null || node == null)) {
      throw new IllegalArgumentException("a " + type.wireName() + " event needs both pod and node");
    }
  }
}
