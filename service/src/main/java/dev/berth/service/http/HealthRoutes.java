package dev.berth.service.http;

import dev.berth.service.metrics.ServiceMetrics;
import io.javalin.config.RoutesConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Probes and metrics. */
final class HealthRoutes {
  private static final byte[] OK = "ok\n".getBytes(StandardCharsets.US_ASCII);

  private final Readiness readiness;
  private final Rationed<byte[]> metrics;
  private final Rationed<Ready> ready;
  private final BooleanSupplier stopping;

  private record Ready(int status, byte[] body) {}

  HealthRoutes(Readiness readiness, ServiceMetrics metrics, BooleanSupplier stopping) {
    this.readiness = readiness;
    this.metrics = new Rationed<>(metrics::text, System::nanoTime);
    this.ready = new Rationed<>(this::ready, System::nanoTime);
    this.stopping = stopping;
  }

  void declare(RoutesConfig routes) {
    routes.get("/healthz", ctx -> Reply.send(ctx, "text/plain", OK));
    routes.get(
        "/readyz",
        ctx -> {
          Ready now = ready.get();
          ctx.status(now.status());
          Reply.json(ctx, now.body());
        });
    routes.get(
        "/metrics",
        ctx -> Reply.send(ctx, "text/plain; version=0.0.4; charset=utf-8", metrics.get()));
  }

  private Ready ready() {
    Map<String, String> causes = new TreeMap<>(readiness.causes());
    if (stopping.getAsBoolean()) {
      causes.put("server", "stopping");
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("ready", causes.isEmpty());
    body.put("causes", causes);
    body.put("warnings", readiness.warnings());
    body.put("notes", readiness.notes());
    try {
      return new Ready(causes.isEmpty() ? 200 : 503, Json.READABLE.writeValueAsBytes(body));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
