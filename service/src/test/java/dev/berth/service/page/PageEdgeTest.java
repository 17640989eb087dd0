package dev.berth.service.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The page over HTTP, without a browser: who may read what, and how much of it travels. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PageEdgeTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private final HttpClient client = HttpClient.newHttpClient();
  private SmallCluster cluster;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    cluster = new SmallCluster(folder, Map.of());
    cluster.place(0, 5, "shadow");
    while (figures("v1/page/roster").path("names").size() < SmallCluster.NODES
        || figures("v1/page/loads").path("cpu").get(0).isNull()) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void thePageIsOpenAndItsFiguresNeedTheToken() throws Exception {
    assertThat(get("", false).statusCode()).isEqualTo(200);
    assertThat(get("page/main.js", false).statusCode()).isEqualTo(200);
    for (String path : new String[] {"roster", "loads", "decisions"}) {
      assertThat(get("v1/page/" + path, false).statusCode()).as(path).isEqualTo(401);
      assertThat(get("v1/page/" + path, true).statusCode()).as(path).isEqualTo(200);
    }
  }

  @Test
  void theOpenFilesAreThoseOfThePageAndNoOthers() throws Exception {
    for (String path :
        new String[] {"page/nothing.js", "page/..%2ftoken", "page/%2e%2e/token", "page/"}) {
      assertThat(get(path, false).statusCode()).as(path).isBetween(400, 404);
    }
    Path folder = Path.of(System.getProperty("berth.root"), "service/src/main/resources/page");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(f -> f.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(PageFiles.NAMES);
    }
  }

  @Test
  void nothingButItsOwnFilesMayRunOnThePage() throws Exception {
    HttpResponse<byte[]> page = get("", false);
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(new String(page.body(), java.nio.charset.StandardCharsets.UTF_8))
        .doesNotContain("http://", "https://", " style=", "onclick");
  }

  @Test
  void whatIsNotKnownIsNullAndNotZero() throws Exception {
    JsonNode loads = figures("v1/page/loads");
    int silent = SmallCluster.NODES - 1;
    assertThat(loads.path("state").asText()).matches("f{23}a");
    assertThat(loads.path("cpu").get(silent).isNull()).isTrue();
    assertThat(loads.path("sampledAt").get(silent).isNull()).isTrue();
    assertThat(loads.path("cpu").get(5).asInt()).isBetween(940, 1000);
    assertThat(loads.path("cpuRequested").get(silent).asInt()).isPositive();
    assertThat(loads.path("forecast")).hasSize(loads.path("horizons").size());
    assertThat(loads.path("forecast").get(0)).hasSize(SmallCluster.NODES);
  }

  @Test
  void figuresTravelCompressedAndOnlyWhenTheyHaveChanged() throws Exception {
    HttpRequest.Builder ask = request("v1/page/roster", true).header("Accept-Encoding", "gzip");
    HttpResponse<byte[]> first = client.send(ask.build(), BodyHandlers.ofByteArray());
    byte[] plain = new GZIPInputStream(new ByteArrayInputStream(first.body())).readAllBytes();
    assertThat(JSON.readTree(plain).path("names")).hasSize(SmallCluster.NODES);
    assertThat(first.headers().firstValue("Cache-Control")).contains("no-store");
    String tag = first.headers().firstValue("ETag").orElseThrow();
    HttpResponse<byte[]> second =
        client.send(ask.header("If-None-Match", tag).build(), BodyHandlers.ofByteArray());
    assertThat(second.statusCode()).isEqualTo(304);
    assertThat(second.body()).isEmpty();
    assertThat(figures("v1/page/loads").path("roster").asText()).isEqualTo(tag.replace("\"", ""));
  }

  @Test
  void theNewestDecisionsOfAllPodsComeNewestFirst() throws Exception {
    JsonNode lines = figures("v1/page/decisions").path("decisions");
    while (lines.size() < 5) { // written a moment after the answer
      TimeUnit.MILLISECONDS.sleep(20);
      lines = figures("v1/page/decisions").path("decisions");
    }
    assertThat(lines).hasSize(5);
    assertThat(lines.get(0).path("pod").asText()).isEqualTo("shop/web-4");
    assertThat(lines.get(0).path("mode").asText()).isEqualTo("shadow");
    assertThat(lines.get(0).path("preferred").asText()).startsWith("node-");
    assertThat(lines.get(0).path("at").asDouble())
        .isGreaterThan(lines.get(4).path("at").asDouble());
  }

  private JsonNode figures(String path) throws Exception {
    return JSON.readTree(get(path, true).body());
  }

  private HttpResponse<byte[]> get(String path, boolean token) throws Exception {
    return client.send(request(path, token).build(), BodyHandlers.ofByteArray());
  }

  private HttpRequest.Builder request(String path, boolean token) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(cluster.url() + path));
    return token ? request.header("Authorization", "Bearer " + cluster.token()) : request;
  }
}
