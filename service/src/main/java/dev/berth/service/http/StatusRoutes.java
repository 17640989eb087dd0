package dev.berth.service.http;

import dev.berth.service.scoring.NodeTable;
import io.javalin.config.RoutesConfig;
import java.util.function.Supplier;

/** What the service has done, and what it knows of every node. */
final class StatusRoutes {
  private final Supplier<Status> status;
  private final NodeTable nodes;

  StatusRoutes(Supplier<Status> status, NodeTable nodes) {
    this.status = status;
    this.nodes = nodes;
  }

  void declare(RoutesConfig routes) {
    routes.get(
        "/v1/status",
        ctx ->
            ctx.contentType("application/json")
                .result(Json.READABLE.writeValueAsBytes(status.get())));
    routes.get(
        "/v1/nodes",
        ctx ->
            ctx.contentType("application/json")
                .result(Json.READABLE.writeValueAsBytes(nodes.all())));
  }
}
