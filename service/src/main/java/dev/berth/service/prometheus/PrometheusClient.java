package dev.berth.service.prometheus;

import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.config.TokenFile;
import dev.berth.service.operator.Printable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Instant queries over Prometheus' HTTP API.
 *
 * <p>POST with a form, so that a long query fits; HTTP/1.1, because Prometheus without TLS speaks
 * nothing else. Thread-safe.
 */
public final class PrometheusClient {
  private static final Logger log = LoggerFactory.getLogger(PrometheusClient.class);

  /** Of an answer about nodes: ten times what the largest cluster gives. */
  static final long MOST_BYTES = 64L << 20;

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
    List<Series> series = new ArrayList<>();
    QueryResult result = query(promql, MOST_BYTES, series::add);
    return new QueryResult(series, result.evaluatedAt(), result.warnings());
  }

  /**
   * The same for an answer that is too long to be held.
   *
   * @param mostBytes that the answer may have
   * @param each is handed every series, even of an answer that turns out not to be usable
   * @return all but the series
   */
  QueryResult query(String promql, long mostBytes, Consumer<Series> each)
      throws InterruptedException {
    String form = "query=" + URLEncoder.encode(promql, StandardCharsets.UTF_8);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(endpoint)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form));
    CompletableFuture<HttpResponse<InputStream>> exchange = null;
    CompletableFuture<Void> whole = new CompletableFuture<>();
    whole.orTimeout(config.timeout().toMillis(), TimeUnit.MILLISECONDS);
    try {
      if (!config.tokenFile().isEmpty()) {
        // Read every time: Kubernetes renews projected tokens in place.
        request.header("Authorization", "Bearer " + TokenFile.read(Path.of(config.tokenFile())));
      }
      exchange = http.sendAsync(request.build(), BodyHandlers.ofInputStream());
      // The client's own timeout ends with the headers; this one covers the body too.
      exchange.thenAccept(r -> whole.whenComplete((done, late) -> close(r.body())));
      HttpResponse<InputStream> response =
          exchange.get(config.timeout().toMillis(), TimeUnit.MILLISECONDS);
      InputStream body = new AtMost(mostBytes, response.body());
      return VectorReader.read(response.statusCode(), body, each);
    } catch (TimeoutException e) {
      throw tooLate();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof HttpTimeoutException ? tooLate() : broken(e.getCause());
    } catch (IOException | QueryException e) {
      if (whole.isCompletedExceptionally()) {
        throw tooLate(); // what was read ended where the time did
      }
      throw e instanceof QueryException q ? q : broken(e);
    } finally {
      whole.complete(null);
      if (exchange != null) {
        exchange.cancel(true); // closes the connection of one that has not ended
      }
    }
  }

  /** Ends the reading of a body, wherever it is. */
  private static void close(InputStream body) {
    try {
      body.close();
    } catch (IOException e) {
      log.debug("a body that nobody reads any more", e);
    }
  }

  /** Refuses to read on. */
  private static final class AtMost extends FilterInputStream {
    private final long most;
    private long read;

    AtMost(long most, InputStream in) {
      super(in);
      this.most = most;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      int n = super.read(to, from, length);
      read += Math.max(0, n);
      if (read > most) {
        throw new QueryException("its answer is longer than " + (most >> 20) + " MiB", false);
      }
      return n;
    }
  }

  private QueryException tooLate() {
    return new QueryException(
        "no whole answer from " + endpoint + " within " + config.timeout().toMillis() + " ms",
        true);
  }

  private QueryException broken(@Nullable Throwable cause) {
    return new QueryException("no connection to " + endpoint + ": " + why(cause), true);
  }

  /** Java has no words for the two that are met most. */
  private static String why(@Nullable Throwable cause) {
    for (Throwable each = cause; each != null; each = each.getCause()) {
      if (each instanceof UnresolvedAddressException) {
        return "nobody knows its name";
      }
    }
    if (cause instanceof ConnectException && cause.getMessage() == null) {
      return "nothing listens there";
    }
    return cause == null || cause.getMessage() == null
        ? "it broke"
        : Printable.withoutClasses(cause.getMessage());
  }
}
