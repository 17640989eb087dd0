package dev.berth.service.http;

import dev.berth.service.metrics.ServiceMetrics;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Probes and metrics. */
final class HealthRoutes {
  private static final byte[] OK = "ok\n".getBytes(StandardCharsets.US_ASCII);

  private final Readiness readiness;
  private final ServiceMetrics metrics;
  private final BooleanSupplier stopping;

  HealthRoutes(Readiness readiness, ServiceMetrics metrics, BooleanSupplier stopping) {
    this.readiness = readiness;
    this.metrics = metrics;
    this.stopping = stopping;
  }

  void declare(RoutesConfig routes) {
    routes.get("/healthz", ctx -> Reply.send(ctx, "text/plain", OK));
    routes.get("/readyz", this::ready);
    routes.get(
        "/metrics",
        ctx -> Reply.send(ctx, "text/plain; version=0.0.4; charset=utf-8", metrics.text()));
  }

  private void ready(Context ctx) throws IOException {
    Map<String, String> causes = new TreeMap<>(readiness.causes());
    if (stopping.getAsBoolean()) {
      causes.put("server", "stopping");
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("ready", causes.isEmpty());
    body.put("causes", causes);
    body.put("warnings", readiness.warnings());
    body.put("notes", readiness.notes());
    ctx.status(causes.isEmpty() ? 200 : 503);
    Reply.json(ctx, Json.READABLE.writeValueAsBytes(body));
  }
}
