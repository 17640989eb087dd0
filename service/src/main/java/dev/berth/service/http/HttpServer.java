package dev.berth.service.http;

import dev.berth.service.config.ServerConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.page.PageData;
import dev.berth.service.regret.Reports;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.RecentDecisions;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.store.ExperienceStore;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Two listeners that share nothing: one for the scheduler's requests and outcomes, one for probes,
 * metrics and people. What is asked of the second never makes the first wait for a thread or a
 * connection.
 */
public final class HttpServer implements AutoCloseable {
  private static final String SCHEDULER_PORT = "server.scheduler-port";
  private static final String PORT = "server.port";

  private final Listener scores;
  private final Listener reads;
  private volatile boolean stopping;

  public HttpServer(
      ServerConfig config,
      Secrets secrets,
      Scorer scorer,
      NodeTable nodes,
      ExperienceStore store,
      RecentDecisions recent,
      PageData page,
      Readiness readiness,
      Supplier<Status> status,
      Reports reports,
      ServiceMetrics metrics) {
    SenderClocks clocks = new SenderClocks();
    scores =
        new Listener(
            config,
            config.schedulerPort(),
            SCHEDULER_PORT,
            secrets::scheduler,
            secrets.tls(),
            metrics,
            (routes, executor) -> {
              new ScoreRoutes(scorer, metrics, config, clocks).declare(routes);
              new OutcomeRoutes(scorer, store, metrics, config, clocks, executor).declare(routes);
            });
    reads =
        new Listener(
            config,
            config.port(),
            PORT,
            secrets::reader,
            secrets.tls(),
            metrics,
            (routes, executor) -> {
              new WhatIfRoutes(scorer, nodes).declare(routes);
              new DecisionRoutes(store, recent).declare(routes);
              new StatusRoutes(status, nodes).declare(routes);
              new ReportRoutes(reports).declare(routes);
              new PageRoutes(page).declare(routes);
              new HealthRoutes(readiness, metrics, () -> stopping).declare(routes);
            });
  }

  /**
   * Whether both ports can be had, before anything is made ready for them.
   *
   * @throws IllegalStateException naming the key to change
   */
  public static void tryPorts(ServerConfig config) {
    Listener.tryPort(config.host(), config.schedulerPort(), SCHEDULER_PORT);
    Listener.tryPort(config.host(), config.port(), PORT);
  }

  public HttpServer start() {
    scores.start();
    try {
      reads.start();
    } catch (RuntimeException e) {
      scores.close();
      throw e;
    }
    return this;
  }

  /** What is registered, as {@code METHOD path}; a test compares it with api/openapi.yaml. */
  Set<String> routes() {
    Set<String> routes = new TreeSet<>(scores.routes());
    routes.addAll(reads.routes());
    return routes;
  }

  /** Where the scheduler asks. */
  public int schedulerPort() {
    return scores.port();
  }

  /** Where everybody else asks. */
  public int readPort() {
    return reads.port();
  }

  /** Turns readiness off, answers what is in flight, then closes. */
  @Override
  public void close() {
    stopping = true;
    try (reads) {
      scores.close();
    }
  }
}
