package dev.berth.workbench.faults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stands between the service and the real Prometheus, and spoils its answers. */
final class FaultyPrometheus implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double SKEW_SECONDS = 120;
  private static final double A_TIME = 1e9; // values above it are times, not quantities

  /** What is wrong with the answers. */
  enum Mode {
    FINE,
    /** The headers, a byte, then nothing. */
    SLOW,
    /** No series. */
    EMPTY,
    /** No JSON. */
    GARBAGE,
    /** NaN for every value. */
    NAN,
    /** The label that names the node has another name. */
    RENAMED,
    /** A clock two minutes ahead. */
    SKEWED,
    /** One node is missing. */
    SILENT_NODE,
    /** Two clusters with the same names of nodes. */
    TWO_CLUSTERS
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private final String real;
  private volatile Mode mode = Mode.FINE;

  FaultyPrometheus(String real) throws IOException {
    this.real = real;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  void set(Mode next) {
    mode = next;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = spoilt(ask(exchange), mode);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, mode == Mode.SLOW ? 0 : body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body, 0, mode == Mode.SLOW ? 1 : body.length);
        while (mode == Mode.SLOW) {
          out.flush();
          Thread.sleep(100);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private byte[] ask(HttpExchange exchange) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(real + exchange.getRequestURI()))
            .header("Content-Type", "application/x-www-form-urlencoded")
            .timeout(Duration.ofSeconds(5))
            .POST(BodyPublishers.ofByteArray(exchange.getRequestBody().readAllBytes()))
            .build();
    return client.send(request, BodyHandlers.ofByteArray()).body();
  }

  private static byte[] spoilt(byte[] body, Mode mode) throws IOException {
    if (mode == Mode.GARBAGE) {
      return "\u0000<html>{".getBytes(StandardCharsets.UTF_8);
    }
    JsonNode root = JSON.readTree(body);
    if (mode == Mode.FINE || !(root.at("/data/result") instanceof ArrayNode series)) {
      return body;
    }
    if (mode == Mode.EMPTY) {
      series.removeAll();
    }
    ArrayNode others = JSON.createArrayNode();
    for (Iterator<JsonNode> all = series.iterator(); all.hasNext(); ) {
      JsonNode one = all.next();
      ObjectNode labels = (ObjectNode) one.get("metric");
      ArrayNode value = (ArrayNode) one.get("value");
      double number = Double.parseDouble(value.get(1).asText());
      switch (mode) {
        case NAN -> value.set(1, "NaN");
        case RENAMED -> labels.set("machine", labels.remove("node"));
        case SKEWED -> {
          value.set(0, value.get(0).asDouble() + SKEW_SECONDS);
          value.set(1, String.valueOf(number > A_TIME ? number + SKEW_SECONDS : number));
        }
        case SILENT_NODE -> {
          if (labels.path("node").asText().equals("node-0")) {
            all.remove();
          }
        }
        case TWO_CLUSTERS -> {
          ObjectNode other = one.deepCopy();
          ((ObjectNode) other.get("metric")).put("cluster", "other");
          others.add(other);
        }
        default -> {}
      }
    }
    series.addAll(others);
    return JSON.writeValueAsBytes(root);
  }

  @Override
  public void close() {
    mode = Mode.FINE;
    server.stop(0);
    threads.shutdownNow();
  }
}
