package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.experiment.FolderLock;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a process of its own, for what counts is what it does at its end; the cluster is a script. */
class EvidenceDemoCommandTest {
  @TempDir private Path root;
  private Path state;
  private Path calls;
  private int code;

  @BeforeEach
  void aClusterThatCannotStart() throws IOException {
    state = Files.createDirectory(root.resolve("state"));
    Files.createFile(state.resolve(".berth-cluster"));
    calls = Files.createFile(root.resolve("calls"));
    Path program = root.resolve(".build/bin/berth-cluster");
    Files.createDirectories(root.resolve(".build/bin"));
    Files.createDirectory(root.resolve("docs"));
    Files.writeString(
        program,
        """
        #!/bin/sh
        shift 2 # --root
        echo $1 >> %s
        case $1 in
          status) echo '{"state": "%s", "kubeconfig": "none", "scheduler": "stock"}' ;;
          up) exit 1 ;;
        esac
        """
            .formatted(calls, state));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void aClusterOnWhichAnotherDemoIsAtWorkIsLeftAlone() throws Exception {
    try (Closeable others = FolderLock.take(state.resolve("demo.lock"), "busy")) {
      assertThat(evidence("--seeds", "1"))
          .contains("evidence-demo: another demo is at work on the cluster of " + state);
    }
    assertThat(code).isEqualTo(1);
    assertThat(calls).hasContent("status");
  }

  @Test
  void itsOwnIsStoppedAndWhyThereIsNothingIsToldInPlainWords() throws Exception {
    assertThat(evidence("--seeds", "1-2"))
        .contains("no result, the same command plays it again: `berth-cluster up` failed")
        .doesNotContain("Exception", "make evidence-demo first");
    assertThat(code).isEqualTo(1);
    assertThat(Files.readAllLines(calls)).endsWith("up", "up", "down");
  }

  @Test
  void theTableOfFewRunsDoesNotTakeThePlaceOfTheOneInTheDocuments() throws Exception {
    Path evidence = root.resolve("out/evidence-demo");
    for (int runs = 1; runs <= 10; runs++) {
      Path run = Files.createDirectories(evidence.resolve("seed-" + runs));
      Files.writeString(
          run.resolve("summary.json"), "{\"seed\": %d, \"change_pct\": -50}".formatted(runs));
      if (runs == 9) {
        assertThat(evidence("--report")).contains("table: " + evidence.resolve("demo.md"));
        assertThat(root.resolve("docs/demo.md")).doesNotExist();
      }
    }
    assertThat(evidence("--report")).contains("table: " + root.resolve("docs/demo.md"));
    assertThat(root.resolve("docs/demo.md")).content().contains("Lower in 10 of 10 runs");
  }

  private String evidence(String... options) throws IOException, InterruptedException {
    List<String> line =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-Dberth.root=" + root,
                "-cp",
                System.getProperty("java.class.path"),
                Workbench.class.getName(),
                "evidence-demo"));
    line.addAll(Arrays.asList(options));
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    code = process.waitFor();
    return said;
  }
}
