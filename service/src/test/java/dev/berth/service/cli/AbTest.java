package dev.berth.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.experiment.ExperimentFiles;
import dev.berth.service.registry.ModelRegistry;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

final class AbTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void twoVersionsOfDqn() throws IOException {
    Path state = Files.createDirectory(folder.resolve("state"));
    ModelRegistry dqn = ModelRegistry.of(state, "dqn");
    dqn.promote(dqn.add(new byte[] {1}, "dqn", "2026-01-01T00:00:00Z", 1, 1, "a").version());
    dqn.promote(dqn.add(new byte[] {2}, "dqn", "2026-01-02T00:00:00Z", 2, 2, "b").version());
    Files.writeString(
        folder.resolve("berth.yaml"), "state-folder: " + state + "\nscoring:\n  policy: dqn\n");
  }

  private int ab(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--config", folder.resolve("berth.yaml").toString()));
    return CommandErrors.explained(new CommandLine(new Ab()))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }

  @Test
  void anExperimentIsStartedLookedAtAndStopped() {
    assertThat(ab("start", "--b", "dqn", "--slot", "20m")).isZero();
    assertThat(out.toString()).contains("base (A) against dqn@2 (B), slots of 20m", "serves until");
    assertThat(ab("status")).isZero();
    assertThat(ab("report")).isZero();
    assertThat(out.toString()).contains("spread of CPU usage  nothing is measured yet");
    assertThat(ab("stop")).isZero();
    assertThat(out.toString()).contains("stopped at", "what is configured serves");
    assertThat(ab("start", "--a", "dqn@1", "--b", "default-spread")).isZero();
    assertThat(new ExperimentFiles(folder.resolve("state")).plan().orElseThrow().a())
        .isEqualTo("dqn@1");
  }

  @Test
  void whoIsComparedWithItselfIsToldSo() {
    ModelRegistry dqn = ModelRegistry.of(folder.resolve("state"), "dqn");
    long first =
        dqn.add(new byte[] {3}, "dqn", "2026-01-03T00:00:00Z", 0, 0, "no more yet").version();
    assertThat(ab("start", "--b", "dqn@" + first)).isZero();
    assertThat(out.toString())
        .contains("note: dqn@" + first + " has learned nothing here: no more yet");
    ab("stop");
    out.getBuffer().setLength(0);
    assertThat(ab("start", "--b", "dqn@2")).isZero();
    assertThat(out.toString()).doesNotContain("note:");
  }

  @Test
  void aSecondOneIsRefusedWhileOneRuns() {
    ab("start", "--b", "dqn");
    assertThat(ab("start", "--b", "default")).isEqualTo(1);
    assertThat(err.toString()).contains("there is one already", "berth ab stop");
  }

  @Test
  void whatCannotServeIsRefusedWithItsName() {
    assertThat(ab("start", "--b", "dqn@9")).isEqualTo(2);
    assertThat(ab("start", "--b", "gnn@1")).isEqualTo(2);
    assertThat(ab("start", "--b", "dqn@x")).isEqualTo(2);
    assertThat(ab("start", "--b", "best-ever")).isEqualTo(2);
    assertThat(ab("start", "--b", "dqn", "--slot", "5s")).isEqualTo(2);
    assertThat(ab("start", "--b", "gnn")).isEqualTo(2);
    assertThat(ab("start", "--b", "dqn", "--slot", "30d")).isEqualTo(2);
    assertThat(err.toString().lines().filter(line -> !line.startsWith("see ")))
        .satisfiesExactly(
            line -> assertThat(line).contains("no model version 9"),
            line -> assertThat(line).contains("scoring.policy dqn"),
            line -> assertThat(line).contains("after the @ comes a version"),
            line -> assertThat(line).contains("unknown policy 'best-ever'"),
            line -> assertThat(line).contains("--slot is 5s"),
            line -> assertThat(line).contains("arm gnn: the service is configured with"),
            line -> assertThat(line).contains("--slot is 30d", "7d at most"));
    assertThat(new ExperimentFiles(folder.resolve("state")).plan()).isEmpty();
  }

  @Test
  void anExperimentWhoseFilesAreDamagedIsStoppedAndTheNextBegins() throws IOException {
    Path state = folder.resolve("state");
    ab("start", "--b", "dqn");
    Path plan = state.resolve("experiment.json");
    Path pairs = state.resolve("experiment-pairs.json");
    Files.writeString(pairs, "{\"start\":");
    assertThat(ab("stop")).isZero();
    assertThat(out.toString()).contains("set aside: " + pairs, "stopped at");

    Files.writeString(plan, Files.readString(plan).substring(0, 20));
    assertThat(ab("report")).isEqualTo(1);
    assertThat(err.toString()).contains(plan.toString(), "'berth ab stop' sets it aside");
    assertThat(ab("stop")).isZero();
    assertThat(out.toString())
        .contains("set aside: " + plan, "no experiment runs, what is configured serves");
    assertThat(state.resolve("experiment.json.damaged")).content().hasSize(20);
    assertThat(ab("start", "--b", "dqn")).isZero();
  }

  @Test
  void withoutOneItSaysHowToBegin() {
    assertThat(ab("report")).isEqualTo(1);
    assertThat(err.toString()).contains("no experiment yet", "berth ab start");
  }
}
