package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.Service;
import dev.berth.service.config.ConfigLoader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The service as a client sees it, on a free port. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpServerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path EXAMPLES = Path.of(System.getProperty("berth.root"), "api/examples");
  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir static Path folder;
  private Service service;
  private String token;

  @BeforeAll
  void start() throws Exception {
    service =
        Service.start(
            ConfigLoader.load(
                null,
                Map.of(
                    "BERTH_SERVER_PORT", "0",
                    "BERTH_SERVER_MAX_BODY", "64KiB",
                    "BERTH_STATE_FOLDER", folder.toString())));
    token = Files.readString(folder.resolve("token")).strip();
  }

  @AfterAll
  void stop() {
    service.close();
  }

  @Test
  void theExampleRequestIsAnsweredInItsOrderAndUnderItsDecision() throws Exception {
    String request = Files.readString(EXAMPLES.resolve("score-request.json"));
    HttpResponse<String> response = post("/v1/score", request);
    assertThat(response.statusCode()).isEqualTo(200);
    JsonNode reply = JSON.readTree(response.body());
    assertThat(reply.get("decision")).isEqualTo(JSON.readTree(request).get("decision"));
    assertThat(reply.get("scores")).hasSize(2);
    reply.get("scores").forEach(score -> assertThat(score.asInt()).isBetween(0, 100));
    assertThat(reply.get("mode").asText()).isEqualTo("active");
    JsonNode example = JSON.readTree(Files.readString(EXAMPLES.resolve("score-response.json")));
    reply.fieldNames().forEachRemaining(name -> assertThat(example.has(name)).as(name).isTrue());
  }

  @Test
  void theAliasAnswersAsWell() throws Exception {
    String request = Files.readString(EXAMPLES.resolve("score-request.json"));
    assertThat(post("/score", request).statusCode()).isEqualTo(200);
  }

  @Test
  void theExampleOutcomesAreAccepted() throws Exception {
    HttpResponse<String> response =
        post("/v1/outcomes", Files.readString(EXAMPLES.resolve("outcomes-request.json")));
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    JsonNode reply = JSON.readTree(response.body());
    assertThat(reply.get("accepted").asInt()).isEqualTo(4);
    assertThat(reply.get("instance").asText()).isNotEmpty();
  }

  @Test
  void aPersonCanAskForScoresOfEveryKnownNode() throws Exception {
    post("/v1/score", Files.readString(EXAMPLES.resolve("score-request.json")));
    HttpResponse<String> response = get("/score?cpu=500m&memory=128Mi");
    while (response.statusCode() == 503) {
      response = get("/score?cpu=500m&memory=128Mi");
    }
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(JSON.readTree(response.body()).get("nodes").findValuesAsText("node"))
        .containsExactlyInAnyOrder("node-0", "node-1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/score?cpu=lots | cpu=lots is not a Kubernetes quantity such as 500m or 2",
        "/score?memory=12Qi | memory=12Qi is not a Kubernetes quantity such as 128Mi or 2Gi",
        "/score?mem=12Mi | unknown parameter mem: use cpu= and memory=",
      })
  void aWrongQueryIsAnsweredWithTheValueAndTheFix(String path, String detail) throws Exception {
    HttpResponse<String> response = get(path);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(JSON.readTree(response.body()).get("detail").asText()).isEqualTo(detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"mode\": \"active\" | \"mood\": \"active\" | unknown field mood",
        "\"podLimit\" | \"podLimits\" | unknown field nodes.podLimits",
        "\"priority\" | \"prio\" | unknown field pod.prio",
        "\"mode\": \"active\" | \"mode\": \"acting\" | mode 'acting' is unknown: use active",
        "[12000, 8250] | [12000] | column cpuRequestedMilli has 1 entries, names has 2",
        "[12000, 8250] | [12000, -1] | nodes.cpuRequestedMilli[1] is -1, must be 0 or more",
        "[12000, 8250] | [12000, 1.5] | nodes.cpuRequestedMilli[1] must be a whole number, got 1.5",
        "[12, 9] | [12, \"x\"] | nodes.podCount[1] must be a whole number, got x",
        "\"35\" | \"soon\" | annotation latencySoftConstraint is 'soon'",
        "\"milli\": 500 | \"milli\": 5000 | gpu-milli 0..1000",
        "\"decision\" | \"decision\": \"x\", \"decision\" | Duplicate field 'decision'",
        "\"node-1\"] | \"node-0\"] | nodes.names[1] 'node-0' is there twice",
        "{ | [ | the body must be an object, got [",
      })
  void aWrongRequestIsAnsweredWithTheValueAndTheFix(String from, String to, String detail)
      throws Exception {
    String request = Files.readString(EXAMPLES.resolve("score-request.json"));
    String wrong = request.replaceFirst(java.util.regex.Pattern.quote(from), to);
    assertThat(wrong).isNotEqualTo(request);
    HttpResponse<String> response = post("/v1/score", wrong);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(response.body()).get("detail").asText()).contains(detail);
  }

  @ParameterizedTest
  @CsvSource({"/v1/score", "/score", "/v1/outcomes"})
  void everyPostNeedsTheToken(String path) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofString("{}"));
    assertThat(client.send(request.build(), BodyHandlers.ofString()).statusCode()).isEqualTo(401);
    request.header("Authorization", "Bearer " + token + "x");
    HttpResponse<String> wrong = client.send(request.build(), BodyHandlers.ofString());
    assertThat(wrong.statusCode()).isEqualTo(401);
    assertThat(wrong.body()).contains("Authorization: Bearer <token>").doesNotContain(token);
  }

  @Test
  void onlyTheOwnerCanReadTheToken() throws Exception {
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("token"))))
        .isEqualTo("rw-------");
  }

  @Test
  void aBodyAboveTheLimitIsRefusedWithTheSettingToRaise() throws Exception {
    HttpResponse<String> response = post("/v1/score", " ".repeat(65 * 1024));
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(response.body()).contains("server.max-body");
  }

  @Test
  void whatDoesNotExistIsAProblemToo() throws Exception {
    HttpResponse<String> missing = get("/nothing");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(get("/v1/outcomes").statusCode()).isEqualTo(405);
  }

  @Test
  void probesAndMetricsAreOpen() throws Exception {
    assertThat(get("/healthz").body()).isEqualTo("ok\n");
    assertThat(get("/metrics").body())
        .contains("# HELP berth_score_duration_seconds")
        .contains("jvm_");
    assertThat(JSON.readTree(get("/readyz").body()).get("ready").asBoolean()).isTrue();
  }

  private HttpResponse<String> get(String path) throws Exception {
    return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> post(String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .header("Authorization", "Bearer " + token)
            .POST(BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + service.port() + path);
  }
}
