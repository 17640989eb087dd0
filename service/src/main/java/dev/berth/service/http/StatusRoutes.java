package dev.berth.service.http;

import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.NodeTable.KnownNode;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** What the service has done, and what it knows of every node, page by page. */
final class StatusRoutes {
  private static final int PAGE = 500;
  private final Supplier<Status> status;
  private final NodeTable nodes;

  StatusRoutes(Supplier<Status> status, NodeTable nodes) {
    this.status = status;
    this.nodes = nodes;
  }

  void declare(RoutesConfig routes) {
    routes.get("/v1/status", ctx -> Reply.json(ctx, Json.READABLE.writeValueAsBytes(status.get())));
    routes.get("/v1/nodes", this::page);
  }

  /** A page is what one connection may keep in memory while its client reads slowly. */
  private void page(Context ctx) throws IOException {
    Parameters.refuseUnknown(ctx, Set.of("after"), "use after=");
    String after = ctx.queryParam("after");
    List<KnownNode> page = nodes.page(after == null ? "" : after, PAGE);
    if (page.size() == PAGE) {
      String last = URLEncoder.encode(page.get(PAGE - 1).name(), StandardCharsets.UTF_8);
      ctx.header("Link", "</v1/nodes?after=" + last + ">; rel=\"next\"");
    }
    Reply.json(ctx, Json.READABLE.writeValueAsBytes(page));
  }
}
