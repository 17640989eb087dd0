package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.FastClock;
import dev.berth.service.FourNodes;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever reaches a port asks what it likes: it gets an answer or a 4xx, and changes nothing. */
@Timeout(120)
class ReadsFuzzTest {
  private static final List<String> PATHS =
      List.of(
          "/score?cpu=",
          "/v1/score?memory=",
          "/v1/what-if?cpu=",
          "/v1/what-if?memory=",
          "/v1/what-if?pod=",
          "/v1/what-if?owner=",
          "/v1/what-if?",
          "/v1/decisions?pod=",
          "/v1/decisions?owner=",
          "/v1/decisions?limit=",
          "/v1/decisions/",
          "/v1/nodes?after=",
          "/v1/report?since=",
          "/v1/status?",
          "/v1/page/roster?",
          "/v1/page/loads?",
          "/v1/page/decisions?",
          "/page/",
          "/metrics?",
          "/readyz?",
          "/");
  private static final List<String> VALUES =
      List.of(
          "",
          "-1",
          "0",
          "1e309",
          "NaN",
          "99999999999999999999999",
          "9223372036854775808Ei",
          "1n",
          "-5d",
          "366000d",
          "..",
          "../../etc/passwd",
          "a/b/c/d",
          "' OR 1=1 --",
          "%",
          "_",
          "<script>alert(1)</script>",
          "\u0000",
          "\r\nX-Owned: 1",
          "\ud83d\ude00",
          "x".repeat(3_000));

  private final HttpClient client = HttpClient.newHttpClient();
  private FourNodes cluster;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    cluster = new FourNodes(folder, new FastClock(1), Map.of());
    cluster.awaitSamples();
    cluster.score("pod", "");
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  @Test
  void anyParameterIsAnsweredOrRefusedInAShortSentence() throws Exception {
    for (String path : PATHS) {
      for (String value : VALUES) {
        HttpResponse<String> response =
            send("GET", cluster.url() + path + URLEncoder.encode(value, StandardCharsets.UTF_8));
        String asked = path + value.substring(0, Math.min(40, value.length()));
        assertThat(response.statusCode()).as(asked + response.body()).isBetween(200, 429);
        assertThat(response.headers().map()).as(asked).doesNotContainKey("x-owned");
        String type = response.headers().firstValue("Content-Type").orElse("");
        if (response.statusCode() >= 400 && !type.equals("application/problem+json")) {
          // What is no URL at all is refused by Jetty, which quotes nothing of it.
          assertThat(value).as(asked).containsPattern("[\\x00-\\x1f%]|\\.\\.");
          assertThat(response.body()).as(asked).doesNotContain(value);
        }
        assertThat(response.body()).as(asked).hasSizeLessThan(100_000);
        if (response.statusCode() == 429) {
          TimeUnit.MILLISECONDS.sleep(5);
        }
      }
    }
    assertThat(send("GET", cluster.url() + "/v1/decisions?pod=" + "x".repeat(1 << 20)).statusCode())
        .isIn(414, 431);
  }

  @Test
  void nothingIsChangedWithoutTheToken() throws Exception {
    String scores = "http://127.0.0.1:" + cluster.service().schedulerPort();
    for (String method : List.of("POST", "PUT", "PATCH", "DELETE")) {
      for (String path : List.of("/v1/score", "/score", "/v1/rank", "/v1/outcomes", "/v1/mode")) {
        HttpResponse<String> response = send(method, scores + path);
        assertThat(response.statusCode()).as(method + " " + path).isEqualTo(401);
      }
      for (String path : PATHS) {
        String asked = path.replaceFirst("\\?.*", "");
        HttpResponse<String> response = send(method, cluster.url() + asked);
        assertThat(response.statusCode()).as(method + " " + asked).isIn(404, 405, 413);
      }
    }
    assertThat(cluster.get("/v1/status").path("podsScored").asInt()).isEqualTo(2);
    assertThat(cluster.get("/v1/status").path("podsRunning").asInt()).isEqualTo(4);
  }

  private HttpResponse<String> send(String method, String url)
      throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(url))
            .method(method, BodyPublishers.ofString(method.equals("GET") ? "" : "{\"events\":[]}"))
            .build(),
        BodyHandlers.ofString());
  }
}
