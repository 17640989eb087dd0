package dev.berth.service.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.Given;
import dev.berth.service.Service;
import dev.berth.service.prometheus.FakePrometheus;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.ScoreRequest;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Why a pod is where it is, asked of a running service. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExplainTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UID = "6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a11";
  private static final String[] NAMES = {"n0", "n1", "n2", "n3"};
  @TempDir static Path folder;
  private Service service;
  private int best;

  @BeforeAll
  void aPodOfADeploymentIsPlaced() throws Exception {
    service =
        Given.service(
            folder, Map.of("BERTH_SERVER_OPEN_READS", "true", "BERTH_SCORING_EXPLORE", "0"));
    Candidates nodes = Given.nodes(NAMES);
    service.scorer().intake().sized(Map.of("n0", 64.0, "n1", 64.0, "n2", 64.0, "n3", 64.0));
    List<NodeSample> samples = new ArrayList<>();
    double now = service.scorer().now();
    for (int i = 0; i < NAMES.length; i++) {
      samples.add(new NodeSample(NAMES[i], now - 15, now - 1, 1 + i, 1e9, 5, 1));
    }
    service.scorer().intake().observe(samples, 1);
    Pod pod =
        new Pod(
            UID,
            "web-1",
            "shop",
            "shop/Deployment/web",
            0,
            4000,
            1 << 28,
            GpuRequest.NONE,
            LatencyLimits.NONE);
    best = place(UID + "/1", pod, nodes, "n0");
    while (explain("shop/web-1", "-o", "json").status != 0
        || json("shop/web-1").path("node").isNull()
        || json("shop/web-1").path("reckoned").isNull()) {
      TimeUnit.MILLISECONDS.sleep(20); // the store writes on a thread of its own
    }
  }

  private int place(String decision, Pod pod, Candidates nodes, String node) throws Exception {
    ScoreReply reply =
        service.scorer().score(new ScoreRequest(decision, "s/1", Mode.ACTIVE, pod, nodes));
    String bound =
        """
        {"events": [{"type": "bound", "at": "%s", "decision": "%s", "node": "%s",
                     "pod": {"uid": "%s", "owner": "%s", "cpuMilli": %d, "memoryBytes": 1}}]}
        """
            .formatted(Instant.now(), decision, node, pod.uid(), pod.owner(), pod.cpuMilli());
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + service.schedulerPort() + "/v1/outcomes"))
            .header("Authorization", "Bearer " + Files.readString(folder.resolve("token")).strip())
            .POST(BodyPublishers.ofString(bound))
            .build();
    assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).statusCode())
        .isEqualTo(200);
    return reply.scores()[0];
  }

  @AfterAll
  void stop() {
    service.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "web-1 -n shop",
        "shop/web-1",
        UID,
        "deploy/web -n shop",
        "deployment.apps/web -n shop",
        "pod/web-1 -n shop"
      })
  void aPodIsFoundByNameByUidAndAsTheLastOfItsDeployment(String words) throws Exception {
    Said said = explain(words.split(" "));
    assertThat(said.status).as(said.err).isZero();
    assertThat(said.out).contains("shop/web-1", "went to n0");
  }

  @Test
  void tenLinesSayWhereAndWhyAndWhatIsExpected() throws Exception {
    assertThat(best).isEqualTo(100);
    String out = explain("shop/web-1").out;
    assertThat(out.lines().count()).isBetween(7L, 11L);
    assertThat(out)
        .contains("n0 scored 100 of 100, the best of 4 candidates")
        .contains("n0 against n1", "balance +", "overload ", "hedge ")
        .containsPattern("n0 was expected at [0-9.]+ % now, [0-9.]+ % in 5 min")
        .containsPattern("the sample of n0 was [0-9] s old")
        .contains("the learned correction did not change who is first\n") // it is untrained
        .containsPattern("without Berth: .* \\(the stock profile's sum as reckoned here, [0-9]+")
        .contains("is not measured (yet)");
    String wide = explain("shop/web-1", "-o", "wide").out;
    assertThat(wide).contains("NODE", "BALANCE", "LEARNED").containsPattern("\\nn3 +0 ");
  }

  @Test
  void theTermsOfEveryCandidateSumToItsBaseScore() throws Exception {
    JsonNode decision = json("shop/web-1");
    for (int i = 0; i < NAMES.length; i++) {
      double sum = 0;
      for (String term : List.of("balance", "overload", "hedge", "memory")) {
        for (JsonNode each : decision.at("/terms/" + term + "/" + i)) {
          sum += each.asDouble();
        }
      }
      double base = decision.at("/nodes/base/" + i).asDouble();
      assertThat(sum).isCloseTo(base, within(1e-6 + 1e-5 * Math.abs(base)));
    }
    assertThat(decision.at("/nodes/base/0").asDouble())
        .isGreaterThan(decision.at("/nodes/base/3").asDouble() + 1e-3);
  }

  @Test
  void theExampleOfTheContractHasTheFieldsOfARealOne() throws Exception {
    Path file = Path.of(System.getProperty("berth.root"), "api/examples/decision.json");
    JsonNode example = JSON.readTree(file.toFile());
    JsonNode real = json("shop/web-1");
    for (String part : List.of("", "/nodes", "/forecast", "/terms")) {
      assertThat(fields(example.at(part))).as(part).isEqualTo(fields(real.at(part)));
    }
  }

  private static List<String> fields(JsonNode object) {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void whatIsNotKnownIsSaidWithTheWayToFindOut() throws Exception {
    Said unknown = explain("web-2", "-n", "shop");
    assertThat(unknown.status).isEqualTo(1);
    assertThat(unknown.err)
        .contains(
            "no decision for web-2 in namespace shop. Is the name right, and the namespace",
            "schedulerName",
            "store.keep");
    Said since = run(new WeeklyReport(), "--since", "7x", "--url", "http://127.0.0.1:1");
    assertThat(since.status).isEqualTo(2);
    assertThat(since.err).contains("--since", "7x");
    assertThat(explain("shop/deployment/web").err).contains("more than one '/'");
    Said nobody = run(new Explain(), "web-1", "--url", "http://127.0.0.1:1");
    assertThat(nobody.status).isEqualTo(1);
    assertThat(nobody.err).contains("no service answers at http://127.0.0.1:1", "--url");
    Said wrong = run(new Explain(), "web-1", "--url", "localhost");
    assertThat(wrong.status).isEqualTo(2);
    assertThat(wrong.err).contains("--url is localhost: want one such as http://127.0.0.1:8765");
    assertThat(run(new Explain(), "web-1", "--url", "127.0.0.1:8765").err)
        .contains("--url is 127.0.0.1:8765: want one such as http://127.0.0.1:8765");
    Path bytes = Files.write(folder.resolve("bytes"), new byte[] {(byte) 0xff, 0});
    assertThat(whatIf("-f", bytes.toString()).err).contains(bytes + " is no text");
    assertThat(whatIf("-f", folder.toString()).err).contains(folder + " is a folder");
    try (FakePrometheus other = new FakePrometheus()) {
      assertThat(run(new Explain(), "web-1", "--url", other.url()).err)
          .contains("what answers at " + other.url() + " is no Berth service");
    }
  }

  @Test
  void aServiceMayAnswerBelowThePathOfAProxy() throws Exception {
    HttpServer proxy = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    List<String> asked = new ArrayList<>();
    proxy.createContext(
        "/",
        exchange -> {
          asked.add(exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(404, -1);
          exchange.close();
        });
    proxy.start();
    try {
      String url = "http://127.0.0.1:" + proxy.getAddress().getPort() + "/berth/";
      assertThat(run(new Explain(), "web-1", "--url", url).status).isEqualTo(1);
      assertThat(asked).isNotEmpty().allMatch(path -> path.startsWith("/berth/v1/"));
      assertThat(run(new Explain(), "web-1", "--url", url + "?a=b").err).contains("want one such");
    } finally {
      proxy.stop(0);
    }
  }

  @Test
  void aTokenThatIsMissingAndOneThatIsRefusedAreToldApart() throws Exception {
    HttpServer guarded = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    guarded.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(401, 2);
          exchange.getResponseBody().write("{}".getBytes(UTF_8));
          exchange.close();
        });
    guarded.start();
    try {
      String url = "http://127.0.0.1:" + guarded.getAddress().getPort();
      Path token = Files.writeString(folder.resolve("other-token"), "wrong");
      assertThat(run(new Explain(), "web-1", "--url", url).err).contains(url + " wants a token");
      assertThat(run(new Explain(), "web-1", "--url", url, "--token-file", token.toString()).err)
          .contains(url + " refuses the token of " + token);
    } finally {
      guarded.stop(0);
    }
  }

  @Test
  void theReportCountsThePodAndSaysThatItIsTooLittle() throws Exception {
    Said said = run(new WeeklyReport(), here());
    while (!said.out.contains("pods placed with Berth's scores: 1")) {
      assertThat(said.status).as(said.err).isZero();
      TimeUnit.MILLISECONDS.sleep(20); // the store writes on a thread of its own
      said = run(new WeeklyReport(), here());
    }
    assertThat(said.out)
        .containsPattern("went to a node Berth scored best +100 % \\(unsure\\)")
        .contains("shop/Deployment/web")
        .containsPattern(
            "\\nrecommendation: change nothing, because no pod .* to compare with\\n$");
    assertThat(JSON.readTree(run(new WeeklyReport(), here("-o", "json")).out).at("/berth/pods"))
        .hasToString("1");
  }

  @Test
  void aTimeThatIsNoneIsSaidToBe() {
    assertThat(run(new WeeklyReport(), here("--since", "lots")).err)
        .contains("since: 'lots' is no duration: write 20ms, 5s, 2m, 1h or 7d");
    assertThat(run(new WeeklyReport(), here("--since", "0s")).err)
        .contains("since is '0s', must be 1m to 366d");
  }

  @Test
  void aNodeWithoutMemoryLeftForThePodIsNamed() throws Exception {
    double now = service.scorer().now();
    double full = 280L << 30;
    service
        .scorer()
        .intake()
        .observe(List.of(new NodeSample("n3", now - 0.5, now, 4, full, 5, 1)), 2); // idle as ever
    Path file = Files.writeString(folder.resolve("more.yaml"), MANIFEST);
    Said said = whatIf("-f", file.toString());
    while (said.err.contains("ask again")) {
      TimeUnit.MILLISECONDS.sleep(100); // what-ifs get a twentieth of the time
      said = whatIf("-f", file.toString());
    }
    assertThat(said.out)
        .contains("behind all others, for they are expected to have no memory left for it: n3\n");
    assertThat(explain("shop/web-1").out).doesNotContain("memory left");
  }

  @Test
  void aManifestIsToldWhereItsPodsWouldGoAndNothingIsPlaced() throws Exception {
    Path file = Files.writeString(folder.resolve("web.yaml"), MANIFEST);
    Said said = whatIf("-f", file.toString(), "-o", "wide");
    while (said.err.contains("ask again")) {
      TimeUnit.MILLISECONDS.sleep(100); // what-ifs get a twentieth of the time
      said = whatIf("-f", file.toString(), "-o", "wide");
    }
    assertThat(said.status).as(said.err).isZero();
    assertThat(said.out)
        // n0 has the pod that the test began with, of which no question has told yet.
        .contains("shop/shelf", "would go to n1", "n1 against n2", "BALANCE")
        .contains("the pod was expected to use")
        .doesNotContain("measured", "asked by");
    assertThat(said.err).startsWith("not regarded: nodeSelector; a scheduler leaves nodes out");
    assertThat(service.scorer().tally().decisions()).isOne();
  }

  @Test
  void aPodThatFitsNowhereIsToldHowMuchThereIs() throws Exception {
    Path file =
        Files.writeString(folder.resolve("large.yaml"), MANIFEST.replace("cpu: 4,", "cpu: 400,"));
    Said said = whatIf("-f", file.toString());
    while (said.err.contains("ask again")) {
      TimeUnit.MILLISECONDS.sleep(100);
      said = whatIf("-f", file.toString());
    }
    assertThat(said.status).isEqualTo(1);
    assertThat(said.err)
        .contains("none of the 4 nodes has room for cpu 400250m and memory 3Gi", "cpu 64000m");
  }

  @Test
  void aManifestsRequestsAreCountedAsKubernetesDoes() {
    Manifest pod = Manifest.parse(MANIFEST, "web.yaml", "default");
    assertThat(pod)
        .isEqualTo(
            new Manifest(
                "shop/shelf", "shop/Deployment/shelf", 4250, 3L << 30, List.of("nodeSelector")));
    assertThatThrownBy(() -> Manifest.parse("", "e.yaml", "default"))
        .hasMessage("e.yaml names no kind: give a manifest of a Pod or of what makes pods");
    assertThatThrownBy(() -> Manifest.parse("kind: Service", "s.yaml", "default"))
        .hasMessageContaining("s.yaml is of kind Service and has no containers");
    assertThatThrownBy(() -> Manifest.parse(MANIFEST.replace("250m", "lots"), "w", "default"))
        .hasMessageContaining("w: 'lots' is not a Kubernetes quantity");
    assertThatThrownBy(() -> Manifest.parse("kind: Pod\nspec: [", "p.yaml", "default"))
        .hasMessageStartingWith("p.yaml is not YAML: line 2: expected the node content");
  }

  private static final String MANIFEST =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: shelf, namespace: shop}
      spec:
        template:
          spec:
            nodeSelector: {disk: ssd}
            initContainers: [{name: i, resources: {requests: {cpu: 1, memory: 3Gi}}}]
            containers:
            - {name: a, resources: {requests: {cpu: 4, memory: 1Gi}}}
            - {name: b, resources: {limits: {cpu: 250m, memory: 512Mi}}}
      """;

  private record Said(int status, String out, String err) {}

  private JsonNode json(String target) throws Exception {
    return JSON.readTree(explain(target, "-o", "json").out);
  }

  private Said explain(String... arguments) {
    return run(new Explain(), here(arguments));
  }

  private Said whatIf(String... arguments) {
    return run(new WhatIf(), here(arguments));
  }

  private String[] here(String... arguments) {
    List<String> words = new ArrayList<>(List.of(arguments));
    words.addAll(List.of("--url", "http://127.0.0.1:" + service.readPort()));
    return words.toArray(new String[0]);
  }

  private static Said run(Object command, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = CommandErrors.explained(new CommandLine(command));
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(err));
    return new Said(line.execute(arguments), out.toString(), err.toString());
  }
}
