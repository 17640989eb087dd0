package dev.berth.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.berth.service.Given;
import dev.berth.service.Service;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        Given.service(
            folder,
            Map.of(
                "BERTH_SERVER_MAX_CANDIDATES",
                "3",
                "BERTH_SERVER_MAX_EVENTS",
                "5",
                "BERTH_SERVER_MAX_BODY",
                "64KiB"));
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
  void aSchedulerThatIsOlderThanTheServiceIsServedAndNamed() throws Exception {
    String request =
        Files.readString(EXAMPLES.resolve("score-request.json"))
            .replace("\"contract\": 2,", "")
            .replace("default-scheduler/5e1c", "left-behind/1");
    assertThat(post("/v1/score", request).statusCode()).isEqualTo(200);
    JsonNode ready = JSON.readTree(get("/readyz").body());
    assertThat(ready.at("/ready").asBoolean()).isTrue();
    assertThat(ready.at("/warnings/schedulers").asText())
        .contains("'left-behind/1' speaks revision 1", "this service 2", "roll out")
        .doesNotContain("default-scheduler");
    assertThat(get("/metrics").body()).contains("berth_schedulers_outdated 1.0");
    assertThat(JSON.readTree(get("/v1/status").body()).at("/schedulers").toString())
        .contains("\"left-behind/1\",\"contract\":1", "\"asked\":{\"active\":1}");
  }

  @Test
  void aBinaryQuestionIsAnsweredByAByteAScore() throws Exception {
    ByteBuffer body = askInColumns("/v1/score", "application/vnd.berth.scores");
    byte[] text = new byte[body.getInt()];
    body.get(text);
    JsonNode reply = JSON.readTree(text);
    assertThat(reply.get("decision").asText()).isEqualTo("6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a11/1");
    assertThat(reply.has("scores")).isFalse();
    assertThat(reply.get("instance").asText()).isNotEmpty();
    assertThat(body.remaining()).as("bytes of scores").isEqualTo(2);
    assertThat(body.get()).isBetween((byte) 0, (byte) 100);
    assertThat(body.get()).isBetween((byte) 0, (byte) 100);
  }

  /** The reply to the example of a binary question, in the form it must have. */
  private ByteBuffer askInColumns(String path, String form) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(path))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", "application/vnd.berth.columns")
            .POST(BodyPublishers.ofFile(EXAMPLES.resolve("score-request.columns")))
            .build();
    HttpResponse<byte[]> response = client.send(request, BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("Content-Type")).hasValue(form);
    return ByteBuffer.wrap(response.body()).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Test
  void aRankingIsTwoColumnsOfDoubles() throws Exception {
    ByteBuffer body = askInColumns("/v1/rank", "application/vnd.berth.ranking");
    byte[] text = new byte[body.getInt()];
    body.get(text);
    JsonNode reply = JSON.readTree(text);
    assertThat(reply.get("decision").asText()).isEqualTo("6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a11/1");
    assertThat(reply.get("instance").asText()).isNotEmpty();
    assertThat(body.remaining()).as("a preference and a drop of two nodes").isEqualTo(4 * 8);
    body.position(body.position() + 2 * 8);
    assertThat(body.getDouble()).isGreaterThanOrEqualTo(0);
    assertThat(body.getDouble()).isGreaterThanOrEqualTo(0);
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

  /** Acknowledged, what is in the second batch would be lost. */
  @Test
  void twoBatchesInOneBodyAreRefused() throws Exception {
    String batch = Files.readString(EXAMPLES.resolve("outcomes-request.json"));
    HttpResponse<String> response = post("/v1/outcomes", batch + batch);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("one object and nothing after it");
  }

  @Test
  void aPersonCanAskForScoresOfEveryKnownNode() throws Exception {
    post("/v1/score", Files.readString(EXAMPLES.resolve("score-request.json")));
    HttpResponse<String> response = get("/score?cpu=500m&memory=128Mi");
    // The table of nodes hears of the request a moment after its answer.
    while (response.statusCode() == 429 || !response.body().contains("node-")) {
      TimeUnit.MILLISECONDS.sleep(50);
      response = get("/score?cpu=500m&memory=128Mi");
    }
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(JSON.readTree(response.body()).get("nodes").findValuesAsText("node"))
        .contains("node-0", "node-1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/score?cpu=lots | cpu: 'lots' is not a Kubernetes quantity: write 500m, 0.5 or 2",
        "/score?memory=12Qi | memory: '12Qi' is not a Kubernetes quantity: write 512Mi or 2Gi",
        "/score?mem=12Mi | unknown parameter mem: use cpu= and memory=",
        "/v1/nodes?before=b | unknown parameter before: use after=",
        "/v1/decisions?owner=%zz | the query is 'owner=%zz': a % must be followed by two"
            + " hexadecimal digits",
        "/v1/decisions?limit=1&limit=2 | parameter limit is there twice: leave one out",
      })
  void aWrongQueryIsAnsweredWithTheValueAndTheFix(String path, String detail) throws Exception {
    String answer = raw("GET " + path + " HTTP/1.1\nHost: x\nAuthorization: Bearer " + token);
    assertThat(answer).startsWith("HTTP/1.1 400").contains(Reply.PROBLEM);
    String body = answer.substring(answer.indexOf("\r\n\r\n"));
    assertThat(JSON.readTree(body).get("detail").asText()).isEqualTo(detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"mode\": \"active\" | \"mood\": \"active\" | unknown field mood",
        "\"contract\": 2 | \"contract\": 9 | contract is 9, this service speaks up to 2: upgrade"
            + " the service before the scheduler",
        "\"clip\": 0.005 | \"clip\": -0.5 | clip is -0.5, must be 0 to 1",
        "\"clip\": 0.005 | \"clip\": \"x\" | clip must be a number, got x",
        "\"podLimit\" | \"podLimits\" | unknown field nodes.podLimits",
        "\"priority\" | \"prio\" | unknown field pod.prio",
        "\"mode\": \"active\" | \"mode\": \"acting\" | mode 'acting' is unknown: use active",
        "[12000, 8250] | [12000] | column cpuRequestedMilli has 1 entries, names has 2",
        "[12000, 8250] | [12000, -1] | nodes.cpuRequestedMilli[1] is -1, must be 0 or more",
        "[12000, 8250] | [12000, 1.5] | nodes.cpuRequestedMilli[1] must be a whole number, got 1.5",
        "[12, 9] | [12, \"x\"] | nodes.podCount[1] must be a whole number, got x",
        "\"35\" | \"soon\" | annotation latencySoftConstraint is 'soon'",
        "\"milli\": 500 | \"milli\": 5000 | gpu-milli 0..1000",
        "\"count\": 1 | \"count\": 33 | pod.gpu.count is 33, must be at most 32",
        "[[1000, 500] | [[1001, 500] | nodes.gpuFreeMilli is 1001, must be at most 1000",
        "\"priority\": 0 | \"priority\": 99999999999 | pod.priority is 99999999999, must be at"
            + " most",
        "[\"node-0\" | [\"\" | nodes.names[0] is empty",
        "[\"node-0\" | [\"a\\u0000b\" | nodes.names has the character U+0000 at position 1",
        "[\"node-0\" | [\"\\ud800\" | nodes.names has the character U+D800 at position 0",
        "\"nginx-7d9c-x2x4v\" | \"\\udc00\" | pod.name has the character U+DC00 at position 0",
        "\"cpuMilli\": 250 | \"cpuMilli\": 9000000000 | pod.cpuMilli is 9000000000, must be at"
            + " most",
        "\"decision\" | \"decision\": \"x\", \"decision\" | Duplicate field 'decision'",
        "\"node-1\"] | \"node-0\"] | nodes.names[1] 'node-0' is there twice",
        "{ | [ | the body must be an object, got [",
      })
  void aWrongRequestIsAnsweredWithTheValueAndTheFix(String from, String to, String detail)
      throws Exception {
    String request = Files.readString(EXAMPLES.resolve("score-request.json"));
    String wrong = request.replaceFirst(Pattern.quote(from), Matcher.quoteReplacement(to));
    assertThat(wrong).isNotEqualTo(request);
    HttpResponse<String> response = post("/v1/score", wrong);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(JSON.readTree(response.body()).get("detail").asText()).contains(detail);
  }

  @Test
  void whatOtherPodsWroteOfTheirCardsIsNotTheAskingPodsFault() throws Exception {
    String request = Files.readString(EXAMPLES.resolve("score-request.json"));
    String wrong = request.replace("[1000, 500]", "[-1000, 500]");
    assertThat(wrong).isNotEqualTo(request);
    HttpResponse<String> response = post("/v1/score", wrong);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    assertThat(get("/metrics").body()).contains("berth_overdrawn_cards_total 1");
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
  void aHeadIsRefusedForItWouldBeAnsweredUnasked() throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.readPort() + "/readyz"))
            .method("HEAD", BodyPublishers.noBody())
            .build();
    assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
  }

  @Test
  void anEventThatNamesTwoPodsIsRefused() throws Exception {
    String batch = Files.readString(EXAMPLES.resolve("outcomes-request.json"));
    String two = batch.replaceFirst("\"pod\": *\\{", "\"uid\": \"another\", \"pod\": {");
    assertThat(two).isNotEqualTo(batch);
    HttpResponse<String> response = post("/v1/outcomes", two);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("uid is 'another' and its pod's '");
  }

  @Test
  void whatIsRefusedIsCountedByPortAndStatus() throws Exception {
    String strangers = "berth_http_problems_total{port=\"server.scheduler-port\",status=\"401\"}";
    String unknown = "berth_http_problems_total{port=\"server.port\",status=\"404\"}";
    askAsAStrangerAndForNothing();
    double strangersBefore = metric(strangers);
    double unknownBefore = metric(unknown);
    askAsAStrangerAndForNothing();
    assertThat(metric(strangers)).isEqualTo(strangersBefore + 1);
    assertThat(metric(unknown)).isEqualTo(unknownBefore + 1);
  }

  private void askAsAStrangerAndForNothing() throws Exception {
    HttpRequest stranger =
        HttpRequest.newBuilder(uri("/v1/score")).POST(BodyPublishers.ofString("{}")).build();
    client.send(stranger, BodyHandlers.ofString());
    get("/v1/nothing");
  }

  @ParameterizedTest
  @CsvSource({
    "'GET / HTTP/1.1\nHost: x\nno header', 400, no valid HTTP",
    "'GET / HTTP/1.1\nHost: x\nExpect: more', 417, 100-continue",
    "'GET / HTTP/3.0\nHost: x', 505, HTTP/1.1"
  })
  void whatTheServerItselfRefusesIsAProblemLikeAnyOtherAndCounted(
      String head, int status, String detail) throws Exception {
    String counted = "berth_http_problems_total{port=\"server.port\",status=\"" + status + "\"}";
    raw(head);
    double before = metric(counted);
    String answer = raw(head);
    assertThat(answer).startsWith("HTTP/1.1 " + status).contains(Reply.PROBLEM, detail);
    assertThat(metric(counted)).isEqualTo(before + 1);
  }

  @Test
  void aBodyThatStopsHalfWayIsAnsweredWithTheSettingToRaise() throws Exception {
    Path other = Files.createDirectory(folder.resolve("impatient"));
    try (Service impatient = Given.service(other, Map.of("BERTH_SERVER_IDLE_TIMEOUT", "300ms"))) {
      String head =
          "POST /v1/score HTTP/1.1\nHost: x\nContent-Length: 9\nAuthorization: Bearer "
              + Files.readString(other.resolve("token")).strip();
      assertThat(raw(impatient.schedulerPort(), head))
          .startsWith("HTTP/1.1 408")
          .contains(Reply.PROBLEM, "server.idle-timeout")
          .doesNotContain("Exception");
    }
  }

  /** Javalin would let it past every entrance, and keep a session. */
  @Test
  void aWebSocketIsRefusedAndLeavesNothing() throws Exception {
    for (int port : new int[] {service.readPort(), service.schedulerPort()}) {
      String answer = raw(port, "GET /healthz HTTP/1.1\nHost: x\nSec-WebSocket-Version: 13");
      assertThat(answer)
          .startsWith("HTTP/1.1 400")
          .contains(Reply.PROBLEM, "WebSocket")
          .doesNotContain("Set-Cookie");
    }
  }

  @Test
  void whoGoesAwayHalfWayIsNotCounted() throws Exception {
    String counted = "berth_http_problems_total{port=\"server.port\",status=\"400\"}";
    raw("GET / HTTP/1.1\nHost: x\nno header");
    double before = metric(counted);
    for (int i = 0; i < 20; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.readPort())) {
        socket.getOutputStream().write("GET /heal".getBytes(StandardCharsets.US_ASCII));
      }
    }
    raw("GET / HTTP/1.1\nHost: x\nno header");
    assertThat(metric(counted)).isEqualTo(before + 1);
  }

  private String raw(String head) throws IOException {
    return raw(service.readPort(), head);
  }

  private static String raw(int port, String head) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      String lines = head.replace("\n", "\r\n") + "\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(lines.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @Test
  void onlyTheOwnerCanReadTheToken() throws Exception {
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("token"))))
        .isEqualTo("rw-------");
  }

  /** Every time: a connection closed with bytes unread took the answer with it now and then. */
  @RepeatedTest(50)
  void aBodyAboveTheLimitIsRefusedWithTheSettingToRaise() throws Exception {
    HttpResponse<String> response = post("/v1/score", " ".repeat(127 * 1024));
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(response.body()).contains("server.max-body");
  }

  @Test
  void whatDoesNotExistIsAProblemToo() throws Exception {
    HttpResponse<String> missing = get("/nothing");
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.headers().firstValue("Content-Type")).hasValue("application/problem+json");
    assertThat(missing.body()).contains("server.port", "server.scheduler-port");
    HttpResponse<String> notTaken = send("GET", service.schedulerPort(), "/v1/outcomes");
    assertThat(notTaken.statusCode()).isEqualTo(405);
    ObjectReader all =
        new ObjectMapper().reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    assertThat(all.readTree(missing.body()).path("status").asInt()).isEqualTo(404);
    assertThat(all.readTree(notTaken.body()).path("status").asInt()).isEqualTo(405);
  }

  @Test
  void probesAndMetricsAreOpen() throws Exception {
    assertThat(get("/healthz").body()).isEqualTo("ok\n");
    assertThat(get("/metrics").body())
        .contains("# HELP berth_score_duration_seconds")
        .contains("jvm_");
    assertThat(JSON.readTree(get("/readyz").body()).get("ready").asBoolean()).isTrue();
  }

  @Test
  void oneNodeWithoutCapacityIsNeutralAndTheOthersAreScored() throws Exception {
    for (String broken :
        List.of(
            "\"memoryBytes\":[274877906944,0,274877906944]",
            "\"podLimit\":[110,0,110]",
            "\"cpuMilli\":[64000,0,64000]",
            "\"cpuRequestedMilli\":[1000,900000000000000,40000]")) {
      JsonNode reply = JSON.readTree(post("/v1/score", threeNodes(broken)).body());
      assertThat(reply.get("scores").toString()).as(broken).isEqualTo("[100,50,0]");
      assertThat(reply.has("reason")).isFalse();
    }
    HttpResponse<String> none = post("/v1/score", threeNodes("\"podLimit\":[0,0,0]"));
    assertThat(none.statusCode()).isEqualTo(400);
    assertThat(none.body()).contains("no candidate can be scored", "'a'", "podLimit");
  }

  private static String threeNodes(String otherColumn) {
    Map<String, String> columns = new TreeMap<>();
    for (String column :
        List.of(
            "\"names\":[\"a\",\"b\",\"c\"]",
            "\"cpuMilli\":[64000,64000,64000]",
            "\"memoryBytes\":[274877906944,274877906944,274877906944]",
            "\"podLimit\":[110,110,110]",
            "\"cpuRequestedMilli\":[1000,20000,40000]",
            "\"memoryRequestedBytes\":[0,0,0]",
            "\"podCount\":[0,0,0]",
            "\"pendingCpuMilli\":[0,0,0]",
            "\"pendingMemoryBytes\":[0,0,0]",
            "\"pendingPods\":[0,0,0]",
            otherColumn)) {
      columns.put(column.substring(0, column.indexOf(':')), column);
    }
    return "{\"decision\":\"d/1\",\"pod\":{\"uid\":\"p\",\"cpuMilli\":500},\"nodes\":{"
        + String.join(",", columns.values())
        + "}}";
  }

  @Test
  void moreCandidatesOrEventsThanAllowedAreRefusedWithTheLimitsName() throws Exception {
    String four = threeNodes("\"names\":[\"a\",\"b\",\"c\",\"d\"]");
    HttpResponse<String> candidates = post("/v1/score", four);
    assertThat(candidates.statusCode()).isEqualTo(400);
    assertThat(candidates.body()).contains("4 entries", "server.max-candidates");
    String gone = "{\"type\":\"gone\",\"at\":\"2026-11-21T05:00:00Z\",\"uid\":\"x\"}";
    String events = "{\"events\":[" + String.join(",", Collections.nCopies(6, gone)) + "]}";
    HttpResponse<String> batch = post("/v1/outcomes", events);
    assertThat(batch.statusCode()).isEqualTo(413);
    assertThat(batch.body()).contains("more than 5 entries", "server.max-events");
  }

  @Test
  void anotherContentTypeIsRefusedWithTheRightOne() throws Exception {
    HttpResponse<String> response =
        scoreAs("application/x-www-form-urlencoded", threeNodes("\"podCount\":[0,0,0]"));
    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(response.body()).contains("application/x-www-form-urlencoded", "application/json");
  }

  @Test
  void aCharacterSetThatNobodyKnowsIsNotLookedUp() throws Exception {
    HttpResponse<String> response = scoreAs("application/vnd.berth.columns; charset=x", "{}");
    assertThat(response.statusCode()).isEqualTo(415);
  }

  private HttpResponse<String> scoreAs(String contentType, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri("/v1/score"))
            .header("Authorization", "Bearer " + token)
            .header("Content-Type", contentType)
            .POST(BodyPublishers.ofString(body))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }

  /** With the slash it is no route, and its body would not be gathered. */
  @Test
  void aPathWithASlashMoreIsNoRoute() throws Exception {
    HttpResponse<String> response = post("/v1/outcomes/", "{\"events\":[]}");
    assertThat(response.statusCode()).isEqualTo(404);
  }

  @Test
  void aPodWithMoreAnnotationsThanAnybodyReadsIsRefusedWhileItIsRead() throws Exception {
    StringBuilder annotations = new StringBuilder("\"annotations\":{");
    for (int i = 0; i <= Limits.ANNOTATIONS; i++) {
      annotations.append(i == 0 ? "" : ",").append("\"a").append(i).append("\":\"\"");
    }
    HttpResponse<String> response =
        post("/v1/score", "{\"decision\":\"d\",\"pod\":{\"uid\":\"u\"," + annotations);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).contains("more than 1000", PodReader.SOFT_LIMIT);
  }

  @ParameterizedTest
  @CsvSource({
    "2126-11-21T05:00:00Z, 2026-11-21T06:00:00Z",
    "0001-01-01T00:00:00Z, 2014-01-01T00:00:00Z",
    "2026-11-21T06:00:03Z, 2026-11-21T06:00:03Z",
  })
  void aTimeThatCannotBeIsClampedAndCounted(String at, String taken) throws Exception {
    String body = "{\"events\":[{\"type\":\"gone\",\"at\":\"%s\",\"uid\":\"c\"}]}".formatted(at);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    Instant now = Instant.parse("2026-11-21T06:00:00Z");
    OutcomesReader reader = new OutcomesReader(1, now.getEpochSecond(), new SenderClocks());
    assertThat(reader.read(bytes, bytes.length).get(0).at())
        .isEqualTo(Instant.parse(taken).getEpochSecond());
    assertThat(reader.clamped()).isEqualTo(at.equals(taken) ? 0 : 1);
    double before = metric("berth_outcome_times_clamped_total");
    assertThat(post("/v1/outcomes", body.replace(at, "2126-11-21T05:00:00Z")).statusCode())
        .isEqualTo(200);
    assertThat(metric("berth_outcome_times_clamped_total")).isEqualTo(before + 1);
  }

  @Test
  void timesOfAnotherClockAreMovedToThisOne() {
    String body =
        "{\"sentAt\":\"2026-11-21T05:58:00Z\",\"events\":[{\"type\":\"gone\",\"at\":\"2026-11-21T05:57:50Z\",\"uid\":\"c\"}]}";
    double now = Instant.parse("2026-11-21T06:00:00Z").getEpochSecond();
    assertThat(at(body, now)).isEqualTo(now - 10);
    assertThat(at(body.replace("05:58:00Z", "05:59:59.500Z"), now)).isEqualTo(now - 130);
  }

  private static double at(String body, double now) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new OutcomesReader(1, now, new SenderClocks()).read(bytes, bytes.length).get(0).at();
  }

  @Test
  void aScoreRequestBringsReservationsAndNothingElse() throws Exception {
    int before = status("podsRunning");
    String request =
        Files.readString(EXAMPLES.resolve("score-request.json"))
            .replaceAll("0b0e7c4e-9c5f-4d67-8f9e-d7c1c9a1b2c3", "just-reserved");
    assertThat(post("/v1/score", request).statusCode()).isEqualTo(200);
    assertThat(status("podsRunning")).isEqualTo(before + 1);
    HttpResponse<String> taken =
        post("/v1/score", request.replace("\"type\": \"reserved\"", "\"type\": \"unreserved\""));
    assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
    assertThat(status("podsRunning")).isEqualTo(before);
    HttpResponse<String> bound =
        post("/v1/score", request.replace("\"type\": \"reserved\"", "\"type\": \"bound\""));
    assertThat(bound.statusCode()).isEqualTo(400);
    assertThat(bound.body()).contains("events[0].type is bound", "reserved and unreserved only");
  }

  private int status(String field) throws Exception {
    return JSON.readTree(get("/v1/status").body()).get(field).asInt();
  }

  private double metric(String name) throws Exception {
    return get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/status", "/v1/nodes", "/v1/decisions?pod=x"})
  void readsNeedATokenForTheyTellNamesOfPods(String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.readPort() + path)).build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).isEqualTo(401);
    assertThat(response.body()).contains("server.read-token-file");
  }

  private HttpResponse<String> get(String path) throws Exception {
    return send("GET", service.readPort(), path);
  }

  private HttpResponse<String> send(String method, int port, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Authorization", "Bearer " + token)
            .method(method, BodyPublishers.noBody())
            .build();
    return client.send(request, BodyHandlers.ofString());
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
    return URI.create("http://127.0.0.1:" + service.schedulerPort() + path);
  }
}
