package dev.berth.service.prometheus;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.config.PrometheusConfig;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Instant queries over Prometheus' HTTP API.
 *
 * <p>POST with a form, so that a long query fits; HTTP/1.1, because Prometheus without TLS speaks
 * nothing else. Thread-safe.
 */
public final class PrometheusClient {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final PrometheusConfig config;
  private final URI endpoint;
  private final HttpClient http;

  public PrometheusClient(PrometheusConfig config) {
    this.config = config;
    this.endpoint = URI.create(config.url().replaceAll("/+$", "") + "/api/v1/query");
    this.http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(config.timeout())
            .build();
  }

  /**
   * @throws QueryException when there is no usable answer
   */
  public QueryResult query(String promql) throws InterruptedException {
    String form = "query=" + URLEncoder.encode(promql, StandardCharsets.UTF_8);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form));
    HttpResponse<byte[]> response;
    CompletableFuture<HttpResponse<byte[]>> exchange = null;
    try {
      if (!config.tokenFile().isEmpty()) {
        // Read every time: Kubernetes renews projected tokens in place.
        String token = Files.readString(Path.of(config.tokenFile())).strip();
        request.header("Authorization", "Bearer " + token);
      }
      exchange = http.sendAsync(request.build(), BodyHandlers.ofByteArray());
      // The client's own timeout ends with the headers; this one covers the body too.
      response = exchange.get(config.timeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw tooLate();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof HttpTimeoutException ? tooLate() : broken(e.getCause());
    } catch (IOException e) {
      throw broken(e);
    } finally {
      if (exchange != null) {
        exchange.cancel(true); // closes the connection of one that has not ended
      }
    }
    return parse(response.statusCode(), response.body());
  }

  private QueryException tooLate() {
    return new QueryException(
        "no whole answer from " + endpoint + " within " + config.timeout().toMillis() + " ms",
        true);
  }

  private QueryException broken(@Nullable Throwable cause) {
    String why =
        cause == null || cause.getMessage() == null ? String.valueOf(cause) : cause.getMessage();
    return new QueryException("no connection to " + endpoint + ": " + why, true);
  }

  private static QueryResult parse(int status, byte[] body) {
    JsonNode root;
    try {
      root = JSON.readTree(body);
    } catch (JsonProcessingException e) {
      throw new QueryException("HTTP " + status + " with a body that is not JSON", status >= 500);
    } catch (IOException e) {
      throw new QueryException("unreadable body: " + e.getMessage(), true);
    }
    if (!"success".equals(root.path("status").asText())) {
      String why = root.path("error").asText("no status 'success'");
      throw new QueryException("HTTP " + status + ": " + why, status >= 500);
    }
    JsonNode data = root.path("data");
    if (!"vector".equals(data.path("resultType").asText())) {
      throw new QueryException(
          "the query gives a " + data.path("resultType").asText("nothing") + ", not a vector",
          false);
    }
    List<Series> series = new ArrayList<>(data.path("result").size());
    double evaluatedAt = Double.NaN;
    for (JsonNode element : data.path("result")) {
      Map<String, String> labels = new HashMap<>();
      element
          .path("metric")
          .fields()
          .forEachRemaining(l -> labels.put(l.getKey(), l.getValue().asText()));
      JsonNode value = element.path("value");
      evaluatedAt = value.path(0).asDouble(Double.NaN);
      series.add(new Series(labels, number(value.path(1).asText())));
    }
    List<String> warnings = new ArrayList<>();
    root.path("warnings").forEach(w -> warnings.add(w.asText()));
    return new QueryResult(series, evaluatedAt, warnings);
  }

  /** Prometheus writes numbers as text, with {@code NaN}, {@code +Inf} and {@code -Inf}. */
  private static double number(String text) {
    return switch (text) {
      case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> {
        try {
          yield Double.parseDouble(text);
        } catch (NumberFormatException e) {
          yield Double.NaN;
        }
      }
    };
  }
}
