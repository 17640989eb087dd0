package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    assertThat(residuals("40m")).isEqualTo(2);
    assertThat(err.toString())
        .contains("0 candidates to fit on, 0 to judge on: name scenarios that go on for an hour");
  }

  @Test
  void aScenarioThatIsNotThereIsAWrongValue() {
    assertThat(run("--judge", "nosuch")).isEqualTo(2);
    assertThat(err.toString()).contains("no scenario 'nosuch'", "see berth residuals --help");
  }

  @Test
  void rowsHoldEveryCandidateAndWithoutAFitOnlyIntervalsArePrinted() throws IOException {
    Path rows = folder.resolve("rows/judged.csv");
    assertThat(run("--judge", small("80m"), "--seeds", "9001-9001", "--rows", rows.toString()))
        .as(err.toString())
        .isZero();
    assertThat(out.toString()).doesNotContain("explained").contains("| 50 | samples |");
    List<String> lines = Files.readAllLines(rows);
    assertThat(lines.get(0))
        .startsWith("run,at,node,cpu0,cpu0.deviation,")
        .endsWith(",error5m.fromMean,error15m.fromMean,error30m.fromMean,error50m.fromMean");
    int columns = lines.get(0).split(",").length;
    assertThat(lines).allMatch(line -> line.split(",").length == columns);
    assertThat(out.toString()).contains((lines.size() - 1) + " candidates judged");
    // Four nodes a decision: deviations from their mean add up to nothing.
    double sum = 0;
    for (String line : lines.subList(1, 5)) {
      assertThat(line).startsWith("small 9001,");
      sum += Double.parseDouble(line.substring(line.lastIndexOf(',') + 1));
    }
    assertThat(sum).isCloseTo(0, within(1e-6));
  }

  private int residuals(String duration) throws IOException {
    String file = small(duration);
    return run("--fit", file, "--judge", file, "--seeds", "9001-9001");
  }

  private String small(String duration) throws IOException {
    String scenario =
        """
        duration: %s
        warmup: 10m
        nodes: [{count: 4, cpu: 16, memory: 64Gi}]
        workload: {kind: steady, load: 50%%}
        """
            .formatted(duration);
    return Files.writeString(folder.resolve("small.yaml"), scenario).toString();
  }

  private int run(String... options) {
    List<String> all = new ArrayList<>(List.of("residuals"));
    all.addAll(List.of(options));
    return Workbench.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(all.toArray(String[]::new));
  }
}
