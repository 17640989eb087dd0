package dev.berth.service.http;

import dev.berth.service.store.ExperienceStore;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.Map;

/** "Why this node?": decisions by id, or by pod. */
final class DecisionRoutes {
  private static final int LIMIT = 20;
  private final ExperienceStore store;

  DecisionRoutes(ExperienceStore store) {
    this.store = store;
  }

  void declare(RoutesConfig routes) {
    routes.get("/v1/decisions", this::ofPod);
    // An id may hold slashes: the plugin makes it of the pod's uid and the attempt.
    routes.get("/v1/decisions/<id>", this::byId);
  }

  private void byId(Context ctx) throws IOException {
    String id = ctx.pathParam("id");
    Object decision =
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
    Reply.json(ctx, Json.READABLE.writeValueAsBytes(decision));
  }

  private void ofPod(Context ctx) throws IOException {
    String pod = ctx.queryParam("pod");
    if (pod == null || pod.isBlank()) {
      throw Problem.badRequest("pod= is missing: give a uid or namespace/name");
    }
    Reply.json(
        ctx, Json.READABLE.writeValueAsBytes(Map.of("decisions", store.decisionsOf(pod, LIMIT))));
  }
}
