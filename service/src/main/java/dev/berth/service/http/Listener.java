package dev.berth.service.http;

import dev.berth.service.config.ServerConfig;
import dev.berth.service.metrics.ServiceMetrics;
import io.javalin.Javalin;
import io.javalin.compression.CompressionStrategy;
import io.javalin.config.JavalinConfig;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.util.JavalinException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One port with threads, connections and errors of its own; everything is declared in the
 * constructor and frozen at start.
 *
 * <p>No client holds a thread by being slow: a request reaches its handler when all of its body is
 * there, and an answer is written after its handler has returned ({@link Reply}). What a slow
 * client holds is one of {@code server.connections}, and when these are all taken, idle ones are
 * closed after a second.
 */
final class Listener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Listener.class);
  private static final long IDLE_GRACE_MILLIS = 50;
  private static final String METHOD_OVERRIDE = "X-HTTP-Method-Override";
  private static final int INPUT_BUFFER = 1 << 15;

  private final Javalin javalin;
  private final ServerConfig config;
  private final int port;
  private final String portKey;
  private final ServiceMetrics metrics;
  private final QueuedThreadPool pool;
  private final Set<String> routes = new TreeSet<>();
  private volatile @Nullable ConnectionReaper reaper; // from the start on

  /**
   * @param portKey the key that chose the port, for messages
   * @param entrance who may ask what
   * @param tls null for plain HTTP
   * @param metrics count the problems that are answered
   * @param declare given the executor that requests run on
   */
  Listener(
      ServerConfig config,
      int port,
      String portKey,
      Entrance entrance,
      @Nullable Tls tls,
      ServiceMetrics metrics,
      BiConsumer<RoutesConfig, Executor> declare) {
    this.config = config;
    this.port = port;
    this.portKey = portKey;
    this.metrics = metrics;
    pool = new QueuedThreadPool(config.threads(), 4);
    pool.setName("http-" + portKey);
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
              jetty(app, entrance, tls);
              app.routes.before(ctx -> enter(entrance, ctx));
              errors(app);
              declare.accept(app.routes, pool);
            });
  }

  /** Who may ask for a path; throws the answer for those who may not. */
  interface Entrance {
    /**
     * @return whether the path is open to everybody
     */
    boolean check(String path, @Nullable String authorization);

    /** Whether a body is worth waiting for. */
    default boolean admits(Request request) {
      try {
        String path = Request.getPathInContext(request);
        check(path, request.getHeaders().get(HttpHeader.AUTHORIZATION));
        return true;
      } catch (Problem refused) {
        return false;
      }
    }
  }

  private void enter(Entrance entrance, Context ctx) {
    if (entrance.check(ctx.path(), ctx.header("Authorization"))) {
      makeRoom(ctx);
    }
    if (ctx.header(METHOD_OVERRIDE) != null) { // else Javalin takes it for the method
      throw Problem.badRequest(METHOD_OVERRIDE + " is not taken: ask by the method you mean");
    }
    if (HttpMethod.HEAD.is(ctx.req().getMethod())) { // Javalin would say 200 to whatever is asked
      throw new Problem(405, "Method not allowed", "ask by GET: there is no HEAD");
    }
  }

  /**
   * Who has shown no token must not keep its place by asking on, when all are taken: nor a thread,
   * for whoever sends one question after the other is answered on and on by the same.
   */
  private void makeRoom(Context ctx) {
    if (full() || pool.isLowOnThreads()) {
      ctx.header(HttpHeader.CONNECTION.asString(), "close");
    }
  }

  private boolean full() {
    ConnectionReaper watching = reaper;
    return watching != null && watching.full();
  }

  private void jetty(JavalinConfig app, Entrance entrance, @Nullable Tls tls) {
    app.appData(Reply.UNREAD, LentBytes.outsideOfTheHeap());
    app.startup.showJavalinBanner = false;
    app.startup.startupWatcherEnabled = false;
    app.http.maxRequestSize = config.maxBody().bytes();
    app.http.prefer405over404 = true;
    app.router.ignoreTrailingSlashes = false; // what is a route must be one for its body, too
    // Go's client offers gzip; on the scheduler's path time is worth more than bytes.
    app.http.compressionStrategy = CompressionStrategy.NONE;
    app.jetty.threadPool = pool;
    app.jetty.modifyServer(
        server -> {
          server.insertHandler(wholeBodies(entrance));
          server.insertHandler(new NoWebSockets());
          server.setErrorHandler(new ServerErrors(this::count, this::full));
          // Without the handler a stop cuts requests in flight.
          server.insertHandler(new GracefulHandler());
          server.setStopTimeout(config.shutdownGrace().toMillis());
          server.addBean(new NetworkConnectionLimit(config.connections(), server));
        });
    app.jetty.addConnector((server, http) -> connector(server, http, tls));
  }

  /** Waits without a thread for bodies that a route takes, of those who may ask. */
  private EagerContentHandler wholeBodies(Entrance entrance) {
    long largest = config.maxBody().bytes();
    BodyBuffers buffers = new BodyBuffers(largest, LentBytes.ofTheHeap(largest));
    EagerContentHandler handler = new EagerContentHandler(WholeBody.into(buffers));
    handler.include(
        request ->
            HttpMethod.POST.is(request.getMethod())
                && routes.contains("POST " + Request.getPathInContext(request))
                && request.getLength() <= WholeBody.mostRead(buffers.largest())
                && entrance.admits(request));
    return handler;
  }

  private Connector connector(Server server, HttpConfiguration http, @Nullable Tls tls) {
    http.setSendServerVersion(false);
    if (tls != null) {
      // Probes, Prometheus and port-forwards ask by an address that no certificate names: whether
      // it is the right one is for them to say.
      http.addCustomizer(new SecureRequestCustomizer(false));
    }
    HttpConnectionFactory plain = new HttpConnectionFactory(http);
    plain.setInputBufferSize(INPUT_BUFFER);
    ServerConnector connector =
        tls == null
            ? new ServerConnector(server, plain)
            : new ServerConnector(
                server, new SslConnectionFactory(tls.context(), plain.getProtocol()), plain);
    connector.setHost(config.host());
    connector.setPort(port);
    connector.setIdleTimeout(config.idleTimeout().toMillis());
    // Idle kept-alive connections are no reason to make a stop wait a second.
    connector.setShutdownIdleTimeout(IDLE_GRACE_MILLIS);
    ConnectionReaper watching =
        new ConnectionReaper(
            connector,
            config.connections(),
            () -> count(ServerErrors.problem(HttpStatus.REQUEST_TIMEOUT_408)));
    connector.addBean(watching);
    reaper = watching;
    return connector;
  }

  private void errors(JavalinConfig app) {
    app.routes.exception(
        Problem.class,
        (e, ctx) -> {
          e.headers().forEach(ctx::header);
          send(ctx, e);
        });
    app.routes.exception(
        Exception.class,
        (e, ctx) -> {
          log.error("{} {} failed", ctx.method(), ctx.path(), e);
          send(ctx, new Problem(500, "Internal error", "the service's log has the cause"));
        });
    app.router.javaLangErrorHandler(this::failed);
    for (int status : new int[] {404, 405, 413}) {
      app.routes.error(
          status,
          ctx -> {
            if (!Reply.PROBLEM.equals(ctx.res().getContentType())) {
              send(ctx, new Problem(status, ctx.status().getMessage(), explain(status, ctx)));
            }
          });
    }
  }

  /** The JVM itself failed, such as for want of memory outside of the heap. */
  private void failed(HttpServletResponse response, Error error) {
    log.error("a request failed", error);
    Problem problem = ServerErrors.problem(HttpStatus.INTERNAL_SERVER_ERROR_500);
    count(problem);
    response.setStatus(problem.status());
    response.setContentType(Reply.PROBLEM);
    try {
      response.getOutputStream().write(problem.body());
    } catch (IOException e) {
      log.debug("nobody is there to be told", e);
    }
  }

  private static String explain(int status, Context ctx) {
    return switch (status) {
      case 404 ->
          ctx.path()
              + " is not on this port: the scheduler's POSTs are on server.scheduler-port,"
              + " everything else on server.port; api/openapi.yaml lists both";
      case 405 ->
          ctx.path()
              + " does not take "
              + ctx.method()
              + " on this port: api/openapi.yaml says"
              + " what does";
      default -> "the body is too large: raise server.max-body";
    };
  }

  private void send(Context ctx, Problem problem) {
    count(problem);
    if (problem.status() == HttpStatus.UNAUTHORIZED_401) {
      makeRoom(ctx);
    }
    ctx.status(problem.status());
    ctx.result(new byte[0]); // Javalin's own text would follow ours
    Reply.send(ctx, Reply.PROBLEM, problem.body());
  }

  private void count(Problem problem) {
    metrics.problems.labelValues(portKey, Integer.toString(problem.status())).inc();
  }

  Listener start() {
    try {
      javalin.start();
    } catch (JavalinException e) {
      throw cannotListen(config.host(), port, portKey, e);
    }
    return this;
  }

  /**
   * Before anything is made ready for a port that cannot be had. Whoever takes it between this and
   * the start is noticed then.
   *
   * @throws IllegalStateException naming the key to change
   */
  static void tryPort(String host, int port, String portKey) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true); // as the server does
      socket.bind(new InetSocketAddress(host, port));
    } catch (IOException e) {
      throw cannotListen(host, port, portKey, e);
    }
  }

  private static IllegalStateException cannotListen(
      String host, int port, String portKey, Exception e) {
    return new IllegalStateException(
        "cannot listen on %s:%d: %s (set server.host or %s)"
            .formatted(host, port, e.getMessage(), portKey),
        e);
  }

  /** What is registered, as {@code METHOD path}. */
  Set<String> routes() {
    return routes;
  }

  int port() {
    return javalin.port();
  }

  /** Answers what is in flight, then closes. */
  @Override
  public void close() {
    javalin.stop();
  }
}
