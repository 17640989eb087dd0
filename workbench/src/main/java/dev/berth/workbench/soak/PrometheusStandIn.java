package dev.berth.workbench.soak;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.config.Queries;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stands in for Prometheus: scrapes every node of a {@link SoakCluster} every few seconds, with a
 * little noise, and answers the service's default queries as instant vectors, rates over scrapes
 * included. Nodes have no latencies. Nothing else of Prometheus is here.
 */
final class PrometheusStandIn implements AutoCloseable {
  private static final double NOISE = 0.05;
  private static final int SCRAPE_SECONDS = 5;

  /** Counters and gauges of all nodes at one time, {@code [nodes]} each. */
  private record Scrape(double at, double[] cpuSeconds, SoakCluster.Usage usage) {}

  private final SoakCluster cluster;
  private final SplittableRandom random;
  private final Queries queries;
  private final String rateQuery;
  private final int kept;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Deque<Scrape> scrapes = new ArrayDeque<>();

  /**
   * @param window of the rate, as the service is told
   */
  PrometheusStandIn(SoakCluster cluster, Duration window, SplittableRandom random)
      throws IOException {
    this.cluster = cluster;
    this.random = random;
    queries = PrometheusConfig.at("").queries();
    rateQuery = queries.cpu().replace("$window", window.toSeconds() + "s");
    kept = Math.max(2, (int) (window.toSeconds() / SCRAPE_SECONDS) + 1);
    scrape(); // a rate needs two
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/v1/query", this::answer);
    server.setExecutor(threads);
    server.start();
    timer.scheduleAtFixedRate(this::scrape, SCRAPE_SECONDS, SCRAPE_SECONDS, TimeUnit.SECONDS);
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  synchronized void scrape() {
    double now = System.currentTimeMillis() / 1000.0;
    SoakCluster.Usage usage = cluster.usage();
    double[] seconds = new double[cluster.nodes()];
    Scrape last = scrapes.peekLast();
    if (last != null) {
      for (int node = 0; node < seconds.length; node++) {
        double cores = usage.cores()[node] * (1 + random.nextDouble(-NOISE, NOISE));
        seconds[node] = last.cpuSeconds()[node] + cores * (now - last.at());
      }
    }
    scrapes.addLast(new Scrape(now, seconds, usage));
    if (scrapes.size() > kept) {
      scrapes.removeFirst();
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String query = URLDecoder.decode(form.replaceFirst("^query=", ""), StandardCharsets.UTF_8);
    String result = vector(query);
    byte[] body =
        (result == null
                ? "{\"status\":\"error\",\"error\":\"the stand-in knows no such query\"}"
                : "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":["
                    + result
                    + "]}}")
            .getBytes(StandardCharsets.UTF_8);
    try (exchange) {
      exchange.sendResponseHeaders(result == null ? 400 : 200, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  /** The elements of the vector; null for a query that is not known. */
  private synchronized @Nullable String vector(String query) {
    Scrape first = scrapes.getFirst();
    Scrape last = scrapes.getLast();
    SoakCluster.Usage usage = last.usage();
    if (query.equals(rateQuery)) {
      double seconds = last.at() - first.at();
      return seconds == 0
          ? ""
          : vector(n -> (last.cpuSeconds()[n] - first.cpuSeconds()[n]) / seconds);
    } else if (query.equals(queries.sampledAt())) {
      return vector(n -> last.at());
    } else if (query.equals(queries.memory())) {
      return vector(n -> usage.bytes()[n]);
    } else if (query.equals(queries.connections())) {
      return vector(n -> 10.0 * usage.pods()[n]);
    } else if (query.equals(queries.cpuCapacity())) {
      return vector(n -> cluster.cpuMilli(n) / 1000.0);
    } else if (query.equals(queries.memoryCapacity())) {
      return vector(cluster::memoryBytes);
    }
    return query.equals(queries.latency()) ? "" : null;
  }

  private String vector(IntToDoubleFunction value) {
    String now = String.format(Locale.ROOT, "%.3f", System.currentTimeMillis() / 1000.0);
    StringBuilder out = new StringBuilder(100 * cluster.nodes());
    for (int node = 0; node < cluster.nodes(); node++) {
      out.append(node == 0 ? "" : ",").append("{\"metric\":{\"instance\":\"");
      out.append(cluster.name(node)).append(":9100\"},\"value\":[").append(now);
      out.append(",\"").append(value.applyAsDouble(node)).append("\"]}");
    }
    return out.toString();
  }

  @Override
  public void close() {
    server.stop(0);
    timer.shutdownNow();
    threads.shutdownNow();
  }
}
