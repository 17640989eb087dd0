package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.cli.Doctor;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What schedulers of revision 1 really sent: api/examples/revision-1. */
@Timeout(60)
class OldPluginTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Path RECORDED =
      Path.of(System.getProperty("berth.root"), "api/examples/revision-1");

  @ParameterizedTest
  @ValueSource(strings = {"first", "last"})
  void aPluginOfRevision1IsServedAndNamedWithTheMend(String plugin, @TempDir Path folder)
      throws Exception {
    String question = Files.readString(RECORDED.resolve("score-request." + plugin + ".json"));
    String outcomes = Files.readString(RECORDED.resolve("outcomes-request." + plugin + ".json"));
    JsonNode asked = JSON.readTree(question);
    try (FourNodes cluster = new FourNodes(folder, new FastClock(1), Map.of())) {
      JsonNode reply = cluster.post("/v1/score", question);
      assertThat(reply.path("decision")).isEqualTo(asked.path("decision"));
      assertThat(reply.path("scores")).hasSameSizeAs(asked.at("/nodes/names"));

      int events = JSON.readTree(outcomes).path("events").size();
      assertThat(cluster.post("/v1/outcomes", outcomes).path("accepted").asInt()).isEqualTo(events);
      String id = "/v1/decisions/" + asked.path("decision").asText();
      while (!cluster.get(id).path("node").isTextual()) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(cluster.get(id).path("pod").asText())
          .isEqualTo("default/" + asked.at("/pod/name").asText());

      String named = "scheduler '%s' speaks revision 1".formatted(asked.path("scheduler").asText());
      while (!cluster.get("/readyz").path("ready").asBoolean()) { // the first pull is under way
        TimeUnit.MILLISECONDS.sleep(20);
      }
      assertThat(cluster.get("/readyz").at("/warnings/schedulers").asText()).startsWith(named);
      StringWriter said = new StringWriter();
      new CommandLine(new Doctor())
          .setOut(new PrintWriter(said, true))
          .execute("--service", cluster.url());
      assertThat(said.toString())
          .contains("WARNING  service: schedulers: " + named)
          .contains("rollout restart deployment/berth-scheduler");
    }
  }
}
