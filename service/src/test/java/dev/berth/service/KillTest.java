package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Weights;
import dev.berth.policy.state.LearnedState;
import dev.berth.policy.tensor.Adam;
import dev.berth.service.registry.AtomicFile;
import dev.berth.service.registry.ModelRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes, really killed. */
@Timeout(120)
class KillTest {
  private static final AgentConfig DQN = AgentConfig.defaults(AgentKind.DQN);
  private static final Path EXAMPLES = Path.of(System.getProperty("berth.root"), "api/examples");
  private static final Pattern LISTENING =
      Pattern.compile("listening on (http://\\S+) for the scheduler, on (http://\\S+) for");
  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Process> processes = new ArrayList<>();
  @TempDir Path folder;

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
  }

  @Test
  void whatWasAcknowledgedSurvivesAKillAndATermEndsCleanly() throws Exception {
    Process first = java("dev.berth.service.cli.Berth", "serve");
    Addresses address = addresses(first);
    JsonNode acknowledged = post(address, "/v1/outcomes", "outcomes-request.json");
    assertThat(acknowledged.path("accepted").asInt()).isEqualTo(4);
    long model = get(address, "/v1/status").path("modelVersion").asLong();
    Path owners = folder.resolve("owners");
    while (!Files.exists(owners) || LearnedState.decode(Files.readAllBytes(owners)).owners() < 1) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
    first.destroyForcibly().waitFor();

    Process second = java("dev.berth.service.cli.Berth", "serve");
    address = addresses(second);
    assertThat(text(address, "/metrics")).contains("berth_owners_restored 1.0");
    JsonNode status = get(address, "/v1/status");
    assertThat(status.path("podsRunning").asInt()).isEqualTo(1);
    assertThat(status.path("modelVersion").asLong()).isEqualTo(model).isPositive();
    assertThat(status.path("instance").asText())
        .isNotEqualTo(acknowledged.path("instance").asText());
    assertThat(post(address, "/v1/score", "score-request.json").path("scores")).hasSize(2);

    second.destroy();
    assertThat(second.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(second.exitValue()).as("143 is an orderly end after SIGTERM").isEqualTo(143);
  }

  @Test
  void aModelIsWholeWheneverItsWriterIsKilled() throws Exception {
    for (int i = 0; i < 3; i++) {
      Process writer = java(EndlessWriter.class.getName(), folder.toString());
      BufferedReader out = writer.inputReader();
      for (int line = 0; line < 20 + 7 * i; line++) {
        out.readLine();
      }
      writer.destroyForcibly().waitFor();
      BalanceModel.decode(Files.readAllBytes(folder.resolve("checkpoint")), DQN);
      ModelRegistry registry = ModelRegistry.of(folder, "dqn");
      long serving = registry.serving().version();
      BalanceModel.decode(registry.read(serving), DQN);
      registry.list().forEach(info -> BalanceModel.decode(registry.read(info.version()), DQN));
    }
  }

  /** Writes checkpoints and versions until it is killed. */
  static final class EndlessWriter {
    public static void main(String[] args) throws IOException {
      Path folder = Path.of(args[0]);
      AgentConfig config =
          AgentConfig.defaults(AgentKind.DQN).with(p -> p.hidden = List.of(64, 64));
      Weights weights = AgentNetwork.initial(config, new SplittableRandom(1));
      byte[] model =
          BalanceModel.of(config, weights, new Adam(weights.spec(), 1e-3).moments(), 1, 1).encode();
      ModelRegistry registry = ModelRegistry.of(folder, "dqn");
      while (true) {
        AtomicFile.write(folder.resolve("checkpoint"), model);
        registry.promote(registry.add(model, "dqn", "now", 1, 1, "test").version());
        System.out.println("written");
      }
    }
  }

  private Process java(String main, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                main));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder
        .environment()
        .putAll(
            Map.of(
                "BERTH_SERVER_PORT",
                "0",
                "BERTH_SERVER_SCHEDULER_PORT",
                "0",
                "BERTH_SERVER_OPEN_READS",
                "true",
                "BERTH_SERVER_WARM_UP",
                "0s",
                "BERTH_STORE_OWNER_CHECKPOINT_INTERVAL",
                "50ms",
                "BERTH_STATE_FOLDER",
                folder.toString()));
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  private record Addresses(URI scores, URI reads) {}

  private static Addresses addresses(Process process) throws IOException {
    StringBuilder seen = new StringBuilder();
    BufferedReader log = process.inputReader();
    for (String line = log.readLine(); line != null; line = log.readLine()) {
      Matcher m = LISTENING.matcher(line);
      if (m.find()) {
        return new Addresses(URI.create(m.group(1)), URI.create(m.group(2)));
      }
      seen.append(line).append('\n');
    }
    throw new AssertionError("the service did not start:\n" + seen);
  }

  private JsonNode get(Addresses address, String path) throws Exception {
    return new ObjectMapper().readTree(text(address, path));
  }

  private String text(Addresses address, String path) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(address.reads().resolve(path)).build();
    return client.send(request, BodyHandlers.ofString()).body();
  }

  private JsonNode post(Addresses address, String path, String example) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(address.scores().resolve(path))
            .header("Authorization", "Bearer " + Files.readString(folder.resolve("token")).strip())
            .POST(BodyPublishers.ofFile(EXAMPLES.resolve(example)))
            .build();
    return new ObjectMapper().readTree(client.send(request, BodyHandlers.ofString()).body());
  }
}
