package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.policy.evidence.Slots;
import dev.berth.policy.state.LearnedState;
import dev.berth.service.cli.Ab;
import dev.berth.service.config.ConfigException;
import dev.berth.service.experiment.ExperimentFiles;
import dev.berth.service.experiment.Plan;
import dev.berth.service.prometheus.FakePrometheus;
import dev.berth.service.prometheus.FakePrometheus.Fault;
import dev.berth.service.registry.ModelRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The whole service over its public door: measure, score, learn, restart. */
@Timeout(240) // a bound for a hang: a busy machine takes a minute for the gradient steps alone
class ServiceTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int NODES = 4;
  private static final int PODS = 250;
  private final HttpClient client = HttpClient.newHttpClient();
  @TempDir Path folder;

  @Test
  void aPlacementIsLearnedFromJudgedAndKnownAfterARestart() throws Exception {
    try (FakePrometheus prometheus = FourNodes.measured(Clock.systemUTC())) {
      long version = learn(prometheus);
      try (Service service = start(learning(prometheus))) {
        JsonNode status = get(service, "/v1/status");
        assertThat(status.path("podsRunning").asInt()).isEqualTo(PODS);
        assertThat(status.path("modelVersion").asLong()).isGreaterThanOrEqualTo(version);
        assertThat(text(service, "/metrics")).contains("berth_owners_restored 1.0");
      }
    }
  }

  private long learn(FakePrometheus prometheus) throws Exception {
    try (Service service = start(learning(prometheus))) {
      waitFor(
          service, status -> get(service, "/v1/nodes").path(0).path("name").asText().equals("n0"));
      placePods(service, PODS);
      JsonNode learned =
          waitFor(
              service,
              status ->
                  status.path("promotion").path("state").asText().equals("kept-back")
                      && status.path("transitions").asLong() >= 200);
      assertThat(learned.path("trainSteps").asLong()).isPositive();
      // Usage that no placement changes: there is nothing to gain, so nothing newer serves.
      assertThat(learned.path("promotion").path("reason").asText())
          .contains("kept back: ", "held-out decisions");
      assertThat(learned.path("modelVersion").asLong()).isEqualTo(1);
      assertThat(learned.path("servedByNewModel").asLong()).isZero();
      assertThat(learned.path("trainer").asText()).isEqualTo("alive");
      assertThat(ModelRegistry.of(folder, "dqn").list()).hasSize(1);
      JsonNode decision = get(service, "/v1/decisions/pod-0/1");
      assertThat(decision.path("reward").isNumber()).as(decision.toPrettyString()).isTrue();
      assertThat(decision.path("node").asText()).startsWith("n");
      assertThat(decision.path("nodes").path("base")).hasSize(NODES);
      assertThat(decision.path("nodes").path("residual")).hasSize(NODES);
      assertThat(decision.path("nodes").path("sampleAgeSeconds")).hasSize(NODES);
      return learned.path("modelVersion").asLong();
    }
  }

  @Test
  void withoutPrometheusItScoresAndSaysWhatIsMissing() throws Exception {
    try (Service service = start(Map.of())) {
      assertThat(score(service, "pod", 0).path("scores")).hasSize(NODES);
      JsonNode ready = get(service, "/readyz");
      assertThat(ready.path("ready").asBoolean()).isTrue();
      assertThat(ready.path("warnings").path("prometheus").asText()).contains("prometheus.url");
    }
  }

  @Test
  void theWarmUpLeavesNoTrace() throws Exception {
    try (Service service = start(Map.of("BERTH_SERVER_WARM_UP", "1s"))) {
      JsonNode status = get(service, "/v1/status");
      assertThat(status.path("podsScored").asInt(-1)).isZero();
      assertThat(status.path("podsRunning").asInt(-1)).isZero();
      assertThat(get(service, "/v1/nodes")).isEmpty();
      assertThat(service.scorer().tally().versions()).isEmpty();
    }
  }

  @Test
  void aDamagedFileOfWhatWasLearnedIsSetAsideAndTheServiceStartsAnyway() throws Exception {
    Files.writeString(folder.resolve("books"), "damaged, and longer than any header would be");
    try (Service service = start(Map.of())) {
      assertThat(text(service, "/metrics")).contains("berth_owners_restored 0.0");
      assertThat(folder.resolve("owners.refused"))
          .hasContent("damaged, and longer than any header would be");
    }
    assertThat(LearnedState.decode(Files.readAllBytes(folder.resolve("owners"))).owners()).isZero();
  }

  @Test
  void aPrometheusThatFailsIsAWarningNotAnOutage() throws Exception {
    try (FakePrometheus prometheus =
            FourNodes.measured(Clock.systemUTC()).fails("cpu", Fault.SERVER_ERROR);
        Service service = start(learning(prometheus))) {
      while (!get(service, "/readyz").path("ready").asBoolean()) {
        Thread.onSpinWait();
      }
      assertThat(get(service, "/readyz").path("warnings").path("prometheus").asText())
          .contains("query cpu", "out of memory");
      assertThat(score(service, "pod", 0).path("scores")).hasSize(NODES);
    }
  }

  @Test
  void everyPolicyCanBeNamedAndAnUnknownOneIsAnsweredWithAll() throws Exception {
    for (String policy : List.of("la", "p0", "predict-then-greedy", "ac-gnn")) {
      try (Service service =
          start(
              Map.of(
                  "BERTH_SCORING_POLICY",
                  policy,
                  "BERTH_TRAINER_ENABLED",
                  "false",
                  "BERTH_STATE_FOLDER",
                  folder.resolve(policy).toString()))) {
        assertThat(score(service, "pod", 0, folder.resolve(policy)).path("policy").asText())
            .isEqualTo(policy);
      }
    }
    assertThatThrownBy(() -> start(Map.of("BERTH_SCORING_POLICY", "best")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("scoring.policy")
        .hasMessageContaining("predict-then-greedy")
        .hasMessageContaining("dqn");
  }

  @Test
  void anExperimentBegunBesideARunningServiceServesAndOnAfterARestartUntilItIsStopped()
      throws Exception {
    Path config = Files.writeString(folder.resolve("berth.yaml"), "state-folder: " + folder + "\n");
    Map<String, String> settings = Map.of("BERTH_TRAINER_ENABLED", "false");
    final String arm;
    try (Service service = start(settings)) {
      assertThat(score(service, "before", 0).path("policy").asText()).isEqualTo("dqn");
      assertThat(ab("start", "--a", "least-allocated", "--b", "base", "--config", config)).isZero();
      Plan plan = new ExperimentFiles(folder).plan().orElseThrow();
      arm = plan.slots().arm(0) == Slots.Arm.A ? "least-allocated" : "predict-then-greedy";
      waitFor(service, status -> score(service, "pod", 0).path("policy").asText().equals(arm));
    }
    try (Service service = start(settings)) {
      assertThat(score(service, "again", 0).path("policy").asText()).isEqualTo(arm);
      assertThat(ab("stop", "--config", config)).isZero();
      waitFor(service, status -> score(service, "pod", 0).path("policy").asText().equals("dqn"));
    }
  }

  private static int ab(Object... arguments) {
    return new CommandLine(new Ab())
        .execute(Arrays.stream(arguments).map(Object::toString).toArray(String[]::new));
  }

  @Test
  void twoServicesDoNotShareAStateFolder() {
    try (Service service = start(Map.of())) {
      assertThat(service.schedulerPort()).isPositive();
      assertThatThrownBy(() -> start(Map.of()))
          .hasMessageContaining("another service")
          .hasMessageContaining("state-folder");
    }
  }

  @Test
  void aStateFolderThatItMakesIsReadByItsOwnerAlone() throws Exception {
    Path made = folder.resolve("made/state");
    try (Service service = start(Map.of("BERTH_STATE_FOLDER", made.toString()))) {
      assertThat(service.schedulerPort()).isPositive();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made)))
          .isEqualTo("rwx------");
    }
  }

  @Test
  void aStateFolderThatCannotBeUsedIsNamedWithTheReasonAndTheSetting() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "");
    for (Path unusable : List.of(file, file.resolve("below"))) {
      assertThatThrownBy(() -> start(Map.of("BERTH_STATE_FOLDER", unusable.toString())))
          .hasMessageContaining(unusable.toString())
          .hasMessageMatching("(?s).*(something else is there|Not a directory) \\(name a folder.*")
          .hasMessageContaining("BERTH_STATE_FOLDER");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"port", "scheduler-port"})
  void aTakenPortIsAnsweredWithTheSettingToChange(String key) {
    try (Service service = start(Map.of())) {
      int taken = key.equals("port") ? service.readPort() : service.schedulerPort();
      String variable = "BERTH_SERVER_" + key.toUpperCase(Locale.ROOT).replace('-', '_');
      assertThatThrownBy(
              () ->
                  start(
                      Map.of(
                          variable,
                          String.valueOf(taken),
                          "BERTH_STATE_FOLDER",
                          folder.resolve("other").toString())))
          .hasMessageContaining("server." + key);
      assertThat(folder.resolve("other/experience.db"))
          .as("what is made ready only for a port that can be had")
          .doesNotExist();
    }
  }

  private Service start(Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>();
    environment.put("BERTH_SERVER_OPEN_READS", "true");
    environment.putAll(settings);
    return Given.service(folder, environment);
  }

  private static Map<String, String> learning(FakePrometheus prometheus) {
    Map<String, String> settings = FourNodes.asking(prometheus);
    settings.put("BERTH_TRAINER_SETTLE", "1s");
    settings.put("BERTH_TRAINER_WINDOW", "1s");
    settings.put("BERTH_TRAINER_LEARNING_STARTS", "20");
    settings.put("BERTH_TRAINER_JUDGE", "200ms");
    settings.put("BERTH_TRAINER_CHECKPOINT", "200ms");
    return settings;
  }

  private void placePods(Service service, int pods) throws Exception {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < pods; i++) {
      JsonNode reply = score(service, "pod-" + i, random.nextInt(30_000));
      String event =
          """
          {"type":"bound","at":"%s","decision":"%s","node":"n%d","pod":%s}\
          """
              .formatted(
                  Instant.now(), reply.path("decision").asText(), best(reply), pod("pod-" + i));
      post(service, folder, "/v1/outcomes", "{\"events\":[" + event + "]}");
      Thread.sleep(
          30); // through some windows of a second: of these the fifth and sixth are held out
    }
  }

  private static int best(JsonNode reply) {
    int best = 0;
    for (int i = 0; i < NODES; i++) {
      best = reply.path("scores").get(i).asInt() == 100 ? i : best;
    }
    return best;
  }

  private JsonNode score(Service service, String uid, int requested) throws Exception {
    return score(service, uid, requested, folder);
  }

  private JsonNode score(Service service, String uid, int requested, Path state) throws Exception {
    return post(
        service,
        state,
        "/v1/score",
        """
        {"decision":"%s/1","mode":"active","pod":%s,"nodes":{"names":["n0","n1","n2","n3"],
        "cpuMilli":[64000,64000,64000,64000],"memoryBytes":[100,100,100,100],
        "podLimit":[110,110,110,110],"cpuRequestedMilli":[%d,20000,15000,30000],
        "memoryRequestedBytes":[1,1,1,1],"podCount":[1,1,1,1],"pendingCpuMilli":[0,0,0,0],
        "pendingMemoryBytes":[0,0,0,0],"pendingPods":[0,0,0,0]}}
        """
            .formatted(uid, pod(uid), requested));
  }

  private static String pod(String uid) {
    return """
    {"uid":"%s","name":"%s","namespace":"shop","owner":"shop/ReplicaSet/web","cpuMilli":250}\
    """
        .formatted(uid, uid);
  }

  private interface Check {
    boolean holds(JsonNode status) throws Exception;
  }

  private JsonNode waitFor(Service service, Check done) throws Exception {
    while (true) {
      JsonNode status = get(service, "/v1/status");
      if (done.holds(status)) {
        return status;
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  private JsonNode get(Service service, String path) throws Exception {
    return JSON.readTree(text(service, path));
  }

  private String text(Service service, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(uri(service.readPort(), path)).build();
    return client.send(request, BodyHandlers.ofString()).body();
  }

  private JsonNode post(Service service, Path state, String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(uri(service.schedulerPort(), path))
            .header("Authorization", "Bearer " + Files.readString(state.resolve("token")).strip())
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  private static URI uri(int port, String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
