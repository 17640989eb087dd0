package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.config.ConfigLoader;
import dev.berth.service.config.ServerConfig;
import dev.berth.service.metrics.ServiceMetrics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is the same on every port. */
@Timeout(60)
class ListenerTest {
  private final ServiceMetrics metrics = new ServiceMetrics();

  /** Such as a want of memory outside of the heap, which does not end the process. */
  @Test
  void anErrorOfTheJvmIsAProblemLikeAnyOtherAndCounted() throws Exception {
    ServerConfig config = ConfigLoader.load(null, Map.of()).server();
    try (Listener listener =
        new Listener(
                config,
                0,
                "server.port",
                (path, authorization) -> true,
                null,
                metrics,
                (routes, executor) -> routes.get("/broken", ctx -> broken()))
            .start()) {
      URI broken = URI.create("http://127.0.0.1:" + listener.port() + "/broken");
      HttpResponse<String> answer =
          HttpClient.newHttpClient()
              .send(HttpRequest.newBuilder(broken).build(), BodyHandlers.ofString());

      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
          .startsWith(Reply.PROBLEM);
      assertThat(answer.body()).contains("the service's log has the cause");
      assertThat(new String(metrics.text(), StandardCharsets.UTF_8))
          .contains("berth_http_problems_total{port=\"server.port\",status=\"500\"} 1.0");
    }
  }

  private static void broken() {
    throw new OutOfMemoryError("Cannot reserve 4925975 bytes of direct buffer memory");
  }
}
