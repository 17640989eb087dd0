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
 * little noise, and answers the service's default queries as instant vectors. Nodes have no
 * latencies. Nothing else of Prometheus is here.
 */
final class PrometheusStandIn implements AutoCloseable {
  private static final double NOISE = 0.05;
  private static final int SCRAPE_SECONDS = 5;

  /** Counters and gauges of all nodes at one time, {@code [nodes]} each. */
  private record Scrape(double at, double[] cpuSeconds, SoakCluster.Usage usage) {}

  private final SoakCluster cluster;
  private final SplittableRandom random;
  private final Queries queries;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private Scrape last;

  PrometheusStandIn(SoakCluster cluster, SplittableRandom random) throws IOException {
    this.cluster = cluster;
    this.random = random;
    queries = PrometheusConfig.at("").queries();
    last = new Scrape(now(), new double[cluster.nodes()], cluster.usage());
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
    double now = now();
    SoakCluster.Usage usage = cluster.usage();
    double[] seconds = new double[cluster.nodes()];
    for (int node = 0; node < seconds.length; node++) {
      double cores = usage.cores()[node] * (1 + random.nextDouble(-NOISE, NOISE));
      seconds[node] = last.cpuSeconds()[node] + cores * (now - last.at());
    }
    last = new Scrape(now, seconds, usage);
  }

  private static double now() {
    return System.currentTimeMillis() / 1000.0;
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
    SoakCluster.Usage usage = last.usage();
    if (query.equals(queries.cpuReading())) {
      return vector("cpu-seconds", n -> last.cpuSeconds()[n])
          + ","
          + vector("sampled-at", n -> last.at());
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
    boolean absent = query.equals(queries.latency()) || query.contains(queries.podCpuSeconds());
    return absent ? "" : null;
  }

  private String vector(IntToDoubleFunction value) {
    return vector("", value);
  }

  /**
   * @param quantity value of the label {@link Queries#QUANTITY}, empty for none
   */
  private String vector(String quantity, IntToDoubleFunction value) {
    String now = String.format(Locale.ROOT, "%.3f", now());
    String label = quantity.isEmpty() ? "" : ",\"" + Queries.QUANTITY + "\":\"" + quantity + "\"";
    StringBuilder out = new StringBuilder(100 * cluster.nodes());
    for (int node = 0; node < cluster.nodes(); node++) {
      out.append(node == 0 ? "" : ",").append("{\"metric\":{\"instance\":\"");
      out.append(cluster.name(node))
          .append(":9100\"")
          .append(label)
          .append("},\"value\":[")
          .append(now);
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
