package dev.berth.service.scoring;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.berth.policy.cluster.Pod;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What became of a pod. Events are idempotent: delivery at least once is enough.
 *
 * @param at seconds since the epoch
 * @param decision decision that placed the pod, null when none did
 * @param uid of the pod; of a list's begin and end, the list's id
 * @param node null only for {@code GONE}, {@code UNRESERVED} and the marks of a list
 * @param pod null only for {@code GONE}, {@code UNRESERVED} and the marks of a list
 * @param without of some {@code BOUND}: where the other score plugins would have put it
 */
public record OutcomeEvent(
    Type type,
    double at,
    @Nullable String decision,
    String uid,
    @Nullable String node,
    @Nullable Pod pod,
    @JsonProperty(required = false) @JsonInclude(JsonInclude.Include.NON_NULL)
        @Nullable Without without) {

  /** Kinds of events, as in api/README.md. */
  public enum Type {
    RESERVED,
    UNRESERVED,
    BOUND,
    GONE,
    /** Runs on a node; another scheduler's bind, or part of the full list of running pods. */
    ASSIGNED,
    /** What follows, up to the end of the same list, names every running pod. */
    LIST_BEGIN,
    /** The list is complete: whoever was not named since its begin is gone. */
    LIST_END;

    private final String wireName = name().toLowerCase(Locale.ROOT);

    public String wireName() {
      return wireName;
    }

    public boolean places() {
      return this == RESERVED || this == BOUND || this == ASSIGNED;
    }

    /** Begin or end of a full list: it concerns no pod of its own. */
    public boolean marksList() {
      return this == LIST_BEGIN || this == LIST_END;
    }

    public static Type of(String wireName) {
      for (Type type : values()) {
        if (type.wireName.equals(wireName)) {
          return type;
        }
      }
      throw new IllegalArgumentException(
          "type '"
              + wireName
              + "' is unknown: use reserved, unreserved, bound, gone, assigned, list_begin or"
              + " list_end");
    }
  }

  /** Without word of the other score plugins. */
  public OutcomeEvent(
      Type type,
      double at,
      @Nullable String decision,
      String uid,
      @Nullable String node,
      @Nullable Pod pod) {
    this(type, at, decision, uid, node, pod, null);
  }

  /** The same at another time. */
  public OutcomeEvent at(double time) {
    return new OutcomeEvent(type, time, decision, uid, node, pod, without);
  }

  public OutcomeEvent {
    if (type.places() && (pod == null || node == null)) {
      throw new IllegalArgumentException("a " + type.wireName() + " event needs both pod and node");
    }
  }
}
