package dev.berth.service.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.experiment.ExperimentFiles;
import dev.berth.service.experiment.Plan;
import dev.berth.service.registry.ModelInfo;
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

final class ModelsTest {
  @TempDir Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void twoVersionsOfDqnAndOneOfGnn() throws IOException {
    Path state = Files.createDirectory(folder.resolve("state"));
    ModelRegistry dqn = ModelRegistry.of(state, "dqn");
    dqn.promote(dqn.add(new byte[] {1}, "dqn", "2026-01-01T00:00:00.5Z", 1, 1, "a").version());
    dqn.promote(dqn.add(new byte[] {2, 2}, "dqn", "2026-01-02T00:00:00Z", 2, 2, "b").version());
    ModelRegistry gnn = ModelRegistry.of(state, "gnn");
    gnn.promote(gnn.add(new byte[] {3}, "gnn", "2026-01-03T00:00:00Z", 3, 3, "c").version());
    configure("dqn");
  }

  @Test
  void theListHasEveryKindAndMarksWhatServes() {
    assertThat(models("list")).isZero();
    assertThat(out.toString().lines().skip(1))
        .satisfiesExactly(
            line -> assertThat(line).contains("1  dqn", "2026-01-01T00:00:00Z").endsWith("  a"),
            line -> assertThat(line).contains("2  dqn").endsWith("[serving] b"),
            line -> assertThat(line).contains("1  gnn").endsWith("[serving] c"));
  }

  @Test
  void theListSaysWhyAVersionServesOrWasKeptBack() {
    ModelRegistry dqn = registry("dqn");
    for (String reason : List.of("c", "d")) {
      dqn.add(new byte[] {3}, "dqn", "2026-01-03T00:00:00Z", 3, 3, reason);
    }
    dqn.note(2, new ModelInfo.Verdict(false, "serves: gains 1 +- 0"));
    dqn.note(3, new ModelInfo.Verdict(true, "kept back: loses 1 +- 0"));
    dqn.tryOut(4);
    assertThat(models("list", "--kind", "dqn")).isZero();
    assertThat(out.toString().lines().skip(2))
        .satisfiesExactly(
            line -> assertThat(line).endsWith("[serving] serves: gains 1 +- 0; b"),
            line -> assertThat(line).endsWith("[kept back] kept back: loses 1 +- 0; c"),
            line -> assertThat(line).endsWith("[trial] d"));
  }

  @Test
  void aRollbackConcernsTheKindThatTheServiceIsConfiguredFor() {
    assertThat(models("rollback")).isZero();
    assertThat(out.toString()).startsWith("version 1 serves and is pinned");
    assertThat(registry("dqn").serving().version()).isEqualTo(1);
    assertThat(registry("gnn").serving().pinned()).isFalse();
  }

  /** Its arms serve, whatever is configured: see {@code Experiments}. */
  @Test
  void whoRollsBackDuringAnExperimentIsToldThatItGoesOn() {
    ExperimentFiles files = new ExperimentFiles(folder.resolve("state"));
    Plan plan = new Plan("base", "dqn@2", 1800, 600, 1, 1000, null);
    files.plan(plan);
    assertThat(models("rollback")).isZero();
    assertThat(out.toString())
        .startsWith("version 1 serves and is pinned")
        .contains("but an experiment has base and dqn@2 serve in turn: 'berth ab stop' ends it");
    files.plan(plan.stoppedAt(2000));
    out.getBuffer().setLength(0);
    assertThat(models("list")).isZero();
    assertThat(out.toString()).contains("[pinned]").doesNotContain("experiment");
  }

  @Test
  void anotherKindIsNamed() {
    assertThat(models("show", "1", "--kind", "gnn")).isZero();
    assertThat(out.toString()).contains("agent        gnn");
  }

  @Test
  void aKindWithoutModelsIsAnErrorThatNamesThoseThatHaveSome() throws IOException {
    assertThat(models("unpin", "--kind", "ac")).isEqualTo(2);
    assertThat(err.toString()).contains("no models of kind ac: --kind is one of dqn, gnn");
    assertThat(models("list", "--kind", "ac")).isEqualTo(2);
    assertThat(out.toString()).as("no head of a table that does not come").isEmpty();
    configure("predict-then-greedy");
    assertThat(models("unpin")).isEqualTo(2);
    assertThat(err.toString()).contains("no models of kind predict-then-greedy");
  }

  @Test
  void whereNoFileCanBeTheReasonIsToldOnce() {
    Path nowhere = folder.resolve("nowhere/model");
    assertThat(models("export", "1", nowhere.toString())).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "models export: cannot write %s: no such file or folder: name another place%n"
                .formatted(nowhere));
  }

  private void configure(String policy) throws IOException {
    Files.writeString(
        folder.resolve("berth.yaml"),
        "state-folder: " + folder.resolve("state") + "\nscoring:\n  policy: " + policy + "\n");
  }

  private ModelRegistry registry(String kind) {
    return ModelRegistry.of(folder.resolve("state"), kind);
  }

  private int models(String... args) {
    List<String> all = new ArrayList<>(List.of(args));
    all.addAll(List.of("--config", folder.resolve("berth.yaml").toString()));
    return CommandErrors.explained(new CommandLine(new Models()))
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(all.toArray(String[]::new));
  }
}
