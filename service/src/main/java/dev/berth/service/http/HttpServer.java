package dev.berth.service.http;

import dev.berth.service.config.ServerConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.page.PageData;
import dev.berth.service.regret.Reports;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.Recent;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.store.ExperienceStore;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two listeners that share nothing: one for the scheduler's requests and outcomes, one for probes,
 * metrics and people. What is asked of the second never makes the first wait for a thread or a
 * connection.
 */
public final class HttpServer implements AutoCloseable {
  private final Listener scores;
  private final @Nullable Listener reads;
  private volatile boolean stopping;

  public HttpServer(
      ServerConfig config,
      Secrets secrets,
      Scorer scorer,
      NodeTable nodes,
      ExperienceStore store,
      Recent recent,
      PageData page,
      Readiness readiness,
      Supplier<Status> status,
      Reports reports,
      ServiceMetrics metrics) {
    scores =
        new Listener(
            config,
            config.schedulerPort(),
            "server.scheduler-port",
            secrets::scheduler,
            secrets.tls(),
            (routes, executor) -> {
              new ScoreRoutes(scorer, metrics, config).declare(routes);
              new OutcomeRoutes(scorer, store, metrics, config, executor).declare(routes);
            });
    reads =
        new Listener(
            config,
            config.port(),
            "server.port",
            secrets::reader,
            secrets.tls(),
            (routes, executor) -> {
              new WhatIfRoutes(scorer, nodes).declare(routes);
              new DecisionRoutes(store, recent).declare(routes);
              new StatusRoutes(status, nodes).declare(routes);
              new ReportRoutes(reports).declare(routes);
              new PageRoutes(page).declare(routes);
              new HealthRoutes(readiness, metrics, () -> stopping).declare(routes);
            });
  }

  private HttpServer(Listener scores) {
    this.scores = scores;
    this.reads = null;
  }

  /** A server with the score routes alone, on a free loopback port: for the warm-up. */
  public static WarmUpServer forWarmUp(ServerConfig config, Scorer scorer, ServiceMetrics metrics) {
    String token = UUID.randomUUID().toString();
    ServerConfig local = config.onFreeLoopbackPort();
    Listener scores =
        new Listener(
            local,
            0,
            "server.scheduler-port",
            Secrets.of(token)::scheduler,
            null,
            (routes, executor) -> new ScoreRoutes(scorer, metrics, local).declare(routes));
    return new WarmUpServer(new HttpServer(scores).start(), token);
  }

  /** A server for the warm-up with the token it takes. */
  public record WarmUpServer(HttpServer server, String token) implements AutoCloseable {
    @Override
    public void close() {
      server.close();
    }
  }

  public HttpServer start() {
    scores.start();
    if (reads != null) {
      try {
        reads.start();
      } catch (RuntimeException e) {
        scores.close();
        throw e;
      }
    }
    return this;
  }

  /** What is registered, as {@code METHOD path}; a test compares it with api/openapi.yaml. */
  Set<String> routes() {
    Set<String> routes = new TreeSet<>(scores.routes());
    if (reads != null) {
      routes.addAll(reads.routes());
    }
    return routes;
  }

  /** Where the scheduler asks. */
  public int schedulerPort() {
    return scores.port();
  }

  /** Where everybody else asks; the same for a warm-up. */
  public int readPort() {
    return reads == null ? scores.port() : reads.port();
  }

  /** Turns readiness off, answers what is in flight, then closes. */
  @Override
  public void close() {
    stopping = true;
    scores.close();
    if (reads != null) {
      reads.close();
    }
  }
}
