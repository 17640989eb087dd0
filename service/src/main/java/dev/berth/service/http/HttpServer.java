package dev.berth.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.berth.service.config.ServerConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.store.ExperienceStore;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HandlerType;
import io.javalin.util.JavalinException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The HTTP server: everything is declared in the constructor and frozen at start. */
public final class HttpServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpServer.class);
  private static final long IDLE_GRACE_MILLIS = 50;
  private static final String PROBLEM = "application/problem+json";

  private final Javalin javalin;
  private final ServerConfig config;
  private final Set<String> routes = new TreeSet<>();
  private volatile boolean stopping;

  public HttpServer(
      ServerConfig config,
      BearerToken token,
      Scorer scorer,
      NodeTable nodes,
      ExperienceStore store,
      Readiness readiness,
      Supplier<Status> status,
      ServiceMetrics metrics) {
    this(
        config,
        token,
        (server, routes) -> {
          new ScoreRoutes(scorer, nodes, metrics, config.maxBody()).declare(routes);
          new OutcomeRoutes(scorer, store, config.maxBody()).declare(routes);
          new DecisionRoutes(store).declare(routes);
          new StatusRoutes(status, nodes).declare(routes);
          new HealthRoutes(readiness, metrics, () -> server.stopping).declare(routes);
        });
  }

  /** A server with the score routes alone, on a free loopback port: for the warm-up. */
  public static HttpServer rehearsal(
      ServerConfig config, String token, Scorer scorer, ServiceMetrics metrics) {
    return new HttpServer(
        config.onFreeLoopbackPort(),
        new BearerToken(token),
        (server, routes) ->
            new ScoreRoutes(scorer, new NodeTable(), metrics, config.maxBody()).declare(routes));
  }

  private HttpServer(
      ServerConfig config, BearerToken token, BiConsumer<HttpServer, RoutesConfig> declare) {
    this.config = config;
    javalin =
        Javalin.create(
            app -> {
              app.events.handlerAdded(
                  route -> {
                    if (route.getHttpMethod().isHttpMethod()) {
                      routes.add(
                          route.getHttpMethod()
                              + " "
                              + route.getPath().replace('<', '{').replace('>', '}'));
                    }
                  });
              jetty(app, config);
              guard(app, token);
              errors(app);
              declare.accept(this, app.routes);
            });
  }

  private static void jetty(JavalinConfig app, ServerConfig config) {
    app.startup.showJavalinBanner = false;
    app.startup.startupWatcherEnabled = false;
    app.http.maxRequestSize = config.maxBody().bytes();
    app.http.prefer405over404 = true;
    // Go's client offers gzip; on the scheduler's path time is worth more than bytes.
    app.http.compressionStrategy = CompressionStrategy.NONE;
    QueuedThreadPool pool = new QueuedThreadPool(config.threads(), 4);
    pool.setName("http");
    app.jetty.threadPool = pool;
    app.jetty.modifyServer(
        server -> {
          // Without the handler a stop cuts requests in flight.
          server.insertHandler(new GracefulHandler());
          server.setStopTimeout(config.shutdownGrace().toMillis());
        });
    app.jetty.modifyHttpConfiguration(http -> http.setSendServerVersion(false));
  }

  /** Everything that changes state needs the token; GETs are open and change nothing. */
  private static void guard(JavalinConfig app, BearerToken token) {
    app.routes.before(
        ctx -> {
          if (ctx.method() != HandlerType.GET
              && ctx.method() != HandlerType.HEAD
              && !token.matches(ctx.header("Authorization"))) {
            ctx.header("WWW-Authenticate", "Bearer");
            throw new Problem(
                401,
                "Unauthorized",
                "send 'Authorization: Bearer <token>' with the content of the service's token"
                    + " file");
          }
        });
  }

  private static void errors(JavalinConfig app) {
    app.routes.exception(
        Problem.class, (e, ctx) -> problem(ctx, e.status(), e.title(), e.detail()));
    app.routes.exception(
        Exception.class,
        (e, ctx) -> {
          log.error("{} {} failed", ctx.method(), ctx.path(), e);
          problem(ctx, 500, "Internal error", "the service's log has the cause");
        });
    for (int status : new int[] {404, 405, 413}) {
      app.routes.error(
          status,
          ctx -> {
            if (!PROBLEM.equals(ctx.res().getContentType())) {
              problem(ctx, status, ctx.status().getMessage(), explain(status, ctx));
            }
          });
    }
  }

  private static String explain(int status, Context ctx) {
    return switch (status) {
      case 404 -> ctx.path() + " does not exist: api/openapi.yaml lists what does";
      case 405 ->
          ctx.path() + " does not take " + ctx.method() + ": api/openapi.yaml says what does";
      default -> "the body is too large: raise server.max-body";
    };
  }

  private static void problem(Context ctx, int status, String title, String detail) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("title", title);
    body.put("status", status);
    body.put("detail", detail);
    ctx.status(status);
    try {
      ctx.result(Json.READABLE.writeValueAsBytes(body));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    ctx.contentType(PROBLEM);
  }

  public HttpServer start() {
    try {
      javalin.start(config.host(), config.port());
    } catch (JavalinException e) {
      throw new IllegalStateException(
          "cannot listen on "
              + config.host()
              + ":"
              + config.port()
              + ": "
              + e.getMessage()
              + " (set server.host or server.port)",
          e);
    }
    return this;
  }

  /** What is registered, as {@code METHOD path}; a test compares it with api/openapi.yaml. */
  Set<String> routes() {
    return routes;
  }

  public int port() {
    return javalin.port();
  }

  /** Turns readiness off, answers what is in flight, then closes. */
  @Override
  public void close() {
    stopping = true;
    for (Connector connector : javalin.jettyServer().server().getConnectors()) {
      if (connector instanceof AbstractConnector listening) {
        // Idle kept-alive connections are no reason to wait a second.
        listening.setShutdownIdleTimeout(IDLE_GRACE_MILLIS);
      }
    }
    javalin.stop();
  }
}
