package dev.berth.service.http;

import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Recent;
import dev.berth.service.store.ExperienceStore;
import dev.berth.service.store.StoredDecision;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** "Why this node?": decisions by id, by pod or owner, or the newest of all. */
final class DecisionRoutes {
  private static final int USUAL = 20;
  private static final int MAX_LIMIT = 100;
  private static final Set<String> PARAMETERS = Set.of("pod", "owner", "limit");
  private final ExperienceStore store;
  private final Recent recent;

  DecisionRoutes(ExperienceStore store, Recent recent) {
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
    List<StoredDecision> found;
    if (pod != null) {
      found = store.decisionsOf(given(pod, "pod", "a uid or namespace/name"), limit);
    } else if (owner != null) {
      found = store.decisionsOfOwner(given(owner, "owner", "namespace/kind/name"), limit);
    } else {
      found = store.decisions(limit);
    }
    Reply.json(ctx, Json.READABLE.writeValueAsBytes(Map.of("decisions", found)));
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
