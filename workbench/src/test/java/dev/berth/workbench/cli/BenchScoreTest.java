package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.cli.CommandErrors;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchScoreTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine line =
      new CommandLine(new BenchScore())
          .setOut(new PrintWriter(out))
          .setErr(new PrintWriter(err, true));

  private int berth(String... arguments) {
    return line.execute(arguments);
  }

  @Test
  void itAsksNoMoreOftenThanItIsTold() throws Exception {
    Path file = folder.resolve("score.json");
    String plan = "--policy predict-then-greedy --candidates 10 --connections 2 --requests 40";
    String all = plan + " --seconds 0 --per-second 100 --out " + file;
    assertThat(berth(all.split(" "))).as(err.toString()).isZero();
    JsonNode row = new ObjectMapper().readTree(file.toFile()).path("rows").path(0);
    assertThat(row.path("perSecond").asDouble()).isBetween(10.0, 106.0);
    assertThat(row.path("p50").asLong()).as("microseconds").isPositive();
    assertThat(out.toString()).contains("| predict-then-greedy | 10 | 2 |");
  }

  @Test
  void aPolicyThatDoesNotExistIsAnsweredByThoseThatDo() {
    CommandErrors.explained(line).execute("--policy", "best", "--seconds", "0");
    assertThat(err.toString())
        .contains("scoring.policy", "predict-then-greedy")
        .doesNotContain("\tat ");
  }

  @ParameterizedTest
  @CsvSource({
    "--per-second, -1, 0",
    "--seconds, -1, 0",
    "--requests, 0, 1",
    "--candidates, 0, 1",
    "--connections, 0, 1"
  })
  void fewerThanItCanMeasureAreRefused(String option, String value, String least) {
    assertThat(berth(option, value)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains(option + ": " + value + " is below " + least);
  }
}
