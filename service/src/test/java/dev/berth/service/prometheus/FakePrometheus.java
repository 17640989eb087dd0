package dev.berth.service.prometheus;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Answers queries by name from a table, or with the fault a test asks for. */
public final class FakePrometheus implements AutoCloseable {

  /** What goes wrong. */
  public enum Fault {
    SLOW,
    /** A connection, and nothing more. */
    HUNG,
    /** Headers and the beginning of a body, and nothing more. */
    HUNG_BODY,
    RESET,
    SERVER_ERROR,
    GARBAGE
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Map<String, String> vectors = new ConcurrentHashMap<>();
  private final Map<String, Fault> faults = new ConcurrentHashMap<>();
  private final Map<String, Integer> asked = new ConcurrentHashMap<>();
  final AtomicInteger requests = new AtomicInteger();
  volatile String warning = "";
  volatile double evaluatedAt = 1_000;
  private volatile @Nullable InstantSource clock;

  public FakePrometheus() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/v1/query", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The query gives one series per pair of instance and value. */
  public FakePrometheus answers(String query, String... instancesAndValues) {
    return answersWithLabel(query, "instance", instancesAndValues);
  }

  FakePrometheus answersWithLabel(String query, String label, String... namesAndValues) {
    StringBuilder vector = new StringBuilder();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      vector
          .append(i == 0 ? "" : ",")
          .append("{\"metric\":{\"%s\":\"%s\"},".formatted(label, namesAndValues[i]))
          .append("\"value\":[@,\"%s\"]}".formatted(namesAndValues[i + 1]));
    }
    return vector(query, vector.toString());
  }

  /** Time goes on; the value {@code @} in a vector is the time of the query. */
  public FakePrometheus onTheClock() {
    return on(InstantSource.system());
  }

  /** The same by another clock. */
  public FakePrometheus on(InstantSource other) {
    clock = other;
    return this;
  }

  /** The elements of the vector as JSON, {@code @} for the time of evaluation. */
  public FakePrometheus vector(String query, String elements) {
    vectors.put(query, elements);
    return this;
  }

  /** How often a query was asked. */
  public int askedFor(String query) {
    return asked.getOrDefault(query, 0);
  }

  public FakePrometheus fails(String query, Fault fault) {
    faults.put(query, fault);
    return this;
  }

  public FakePrometheus recovers(String query) {
    faults.remove(query);
    return this;
  }

  private void answer(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String query = URLDecoder.decode(form.replaceFirst("^query=", ""), StandardCharsets.UTF_8);
    asked.merge(query, 1, Integer::sum);
    Fault fault = faults.get(query);
    if (fault == Fault.SLOW) {
      try {
        Thread.sleep(3_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (fault == Fault.HUNG) {
      return;
    }
    if (fault == Fault.HUNG_BODY) {
      exchange.sendResponseHeaders(200, 1_000);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
      return; // the connection stays open
    }
    if (fault == Fault.RESET) {
      exchange.getResponseBody().close();
      exchange.close();
      return;
    }
    if (fault == Fault.SERVER_ERROR) {
      reply(exchange, 503, "{\"status\":\"error\",\"error\":\"out of memory\"}");
    } else if (fault == Fault.GARBAGE) {
      reply(exchange, 200, "<html>login</html>");
    } else if (!vectors.containsKey(query)) {
      reply(exchange, 400, "{\"status\":\"error\",\"error\":\"parse error in " + query + "\"}");
    } else {
      String warnings = warning.isEmpty() ? "" : "\"warnings\":[\"" + warning + "\"],";
      InstantSource by = clock;
      double now = by == null ? evaluatedAt : by.millis() / 1000.0;
      String result = vectors.get(query).replace("@", "%.3f".formatted(now));
      reply(
          exchange,
          200,
          "{\"status\":\"success\","
              + warnings
              + "\"data\":{\"resultType\":\"vector\",\"result\":["
              + result
              + "]}}");
    }
  }

  private static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
