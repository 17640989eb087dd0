package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResidualsCommandTest {
  @TempDir private Path folder;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void aScenarioTooSmallToFitIsSaidToBe() throws IOException {
    assertThat(residuals("80m")).as(err.toString()).isZero();
    assertThat(out.toString())
        .containsPattern("Few for \\d+ inputs, .* name more scenarios in --fit")
        .contains("| minutes ahead | error of the forecast");
  }

  @Test
  void aScenarioTooShortToSeeAnOutcomeIsRefused() throws IOException {
    assertThat(residuals("40m")).isEqualTo(1);
    assertThat(err.toString())
        .contains("0 candidates to fit on, 0 to judge on: name scenarios that go on for an hour");
  }

  private int residuals(String duration) throws IOException {
    String scenario =
        """
        duration: %s
        warmup: 10m
        nodes: [{count: 4, cpu: 16, memory: 64Gi}]
        workload: {kind: steady, load: 50%%}
        """
            .formatted(duration);
    String file = Files.writeString(folder.resolve("small.yaml"), scenario).toString();
    return Workbench.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute("residuals", "--fit", file, "--judge", file, "--seeds", "9001-9001");
  }
}
