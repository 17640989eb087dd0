package dev.berth.service.http;

import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.RecentDecisions;
import dev.berth.service.store.ExperienceStore;
import dev.berth.service.store.StoredDecision;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** "Why this node?": decisions by id, by pod or owner, or the newest of all. */
final class DecisionRoutes {
  private static final int USUAL = 20;
  private static final int MAX_LIMIT = 100;
  private static final Set<String> PARAMETERS = Set.of("pod", "owner", "limit");
  private final ExperienceStore store;

  /** Of all who ask: one with all its candidates takes up to 150 kB of the answer. */
  private final Semaphore atOnce = new Semaphore(MAX_LIMIT);

  private final RecentDecisions recent;

  DecisionRoutes(ExperienceStore store, RecentDecisions recent) {
    this.store = store;
    this.recent = recent;
  }

  void declare(RoutesConfig routes) {
    routes.get("/v1/decisions", this::newest);
    // An id may hold slashes: the plugin makes it of the pod's uid and the attempt.
    routes.get("/v1/decisions/<id>", this::byId);
  }

  private void byId(Context ctx) throws IOException {
    String id = ctx.pathParam("id");
    StoredDecision decision =
        store
            .decision(id)
            .orElseThrow(
                () ->
                    new Problem(
                        404,
                        "Unknown decision",
                        "no decision '"
                            + id
                            + "': it was never made, or is older than store.keep"));
    DecisionRecord record = recent.of(id);
    Reply.json(
        ctx,
        Json.READABLE.writeValueAsBytes(record == null ? decision : decision.explained(record)));
  }

  private void newest(Context ctx) throws IOException {
    Parameters.refuseUnknown(ctx, PARAMETERS, "use pod=, owner= and limit=");
    String pod = ctx.queryParam("pod");
    String owner = ctx.queryParam("owner");
    int limit = limit(ctx.queryParam("limit"));
    if (pod != null && owner != null) {
      throw Problem.badRequest("pod= and owner= are both there: give one of them");
    }
    if (!atOnce.tryAcquire(limit)) {
      throw new Problem(
          429,
          "Decisions are being read",
          "%d decisions at a time for all who ask: ask again, or for fewer".formatted(MAX_LIMIT),
          Map.of("Retry-After", "1"));
    }
    try {
      Reply.json(
          ctx, Json.READABLE.writeValueAsBytes(Map.of("decisions", found(pod, owner, limit))));
    } finally {
      atOnce.release(limit);
    }
  }

  private List<StoredDecision> found(@Nullable String pod, @Nullable String owner, int limit) {
    if (pod != null) {
      return store.decisionsOf(given(pod, "pod", "a uid or namespace/name"), limit);
    }
    return owner == null
        ? store.decisions(limit)
        : store.decisionsOfOwner(given(owner, "owner", "namespace/kind/name"), limit);
  }

  private static String given(String value, String name, String what) {
    if (value.isBlank()) {
      throw Problem.badRequest(name + "= is empty: give " + what);
    }
    return value;
  }

  private static int limit(@Nullable String text) {
    if (text == null) {
      return USUAL;
    }
    if (!text.matches("[0-9]{1,3}")
        || Integer.parseInt(text) < 1
        || Integer.parseInt(text) > MAX_LIMIT) {
      throw Problem.badRequest("limit is '" + text + "', must be 1.." + MAX_LIMIT);
    }
    return Integer.parseInt(text);
  }
}
