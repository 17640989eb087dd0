package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A list of Deployments can be saved, looked at, changed and played again. */
class SimulateCommandTest {
  private static final Pattern HASH = Pattern.compile("run hash ([0-9a-f]{16})");
  @TempDir private Path folder;
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void scenarios() throws IOException {
    String scenario =
        """
        duration: 20m
        warmup: 10m
        nodes: [{count: 4, cpu: 16, memory: 64Gi}]
        workload: {kind: %s, load: 80%%}
        """;
    Files.writeString(folder.resolve("listed.yaml"), scenario.formatted("deployments"));
    Files.writeString(folder.resolve("steady.yaml"), scenario.formatted("steady"));
  }

  @Test
  void aReplayedListGivesTheRunThatSavedIt_seed5() throws IOException {
    Path list = folder.resolve("list.csv");
    String drawn = hash("listed", "--seed", "5", "--save-deployments", list.toString());
    assertThat(hash("listed", "--seed", "5", "--deployments", list.toString())).isEqualTo(drawn);
    assertThat(hash("listed", "--seed", "6")).isNotEqualTo(drawn);

    List<String> lines = Files.readAllLines(list);
    Files.write(list, lines.subList(0, lines.size() - 1));
    assertThat(hash("listed", "--seed", "5", "--deployments", list.toString()))
        .as("the list without its last Deployment")
        .isNotEqualTo(drawn);
  }

  @Test
  void aWorkloadThatIsNoListIsRefused() {
    assertThat(run(new StringWriter(), "steady", "--save-deployments", "x.csv")).isEqualTo(2);
    assertThat(err.toString()).contains("steady plays no list of Deployments");
  }

  @Test
  void aListThatIsNotThereIsSaidToBeMissing() {
    int code =
        Workbench.commandLine()
            .setErr(new PrintWriter(err))
            .execute(
                "simulate", folder.resolve("listed.yaml").toString(), "--deployments=nowhere.csv");
    assertThat(code).isEqualTo(2);
    assertThat(err.toString()).contains("nowhere.csv: no such file: name a CSV file");
  }

  @Test
  void howFarTheVirtualClockIsIsToldOnStandardError() {
    PrintStream stderr = System.err;
    ByteArrayOutputStream told = new ByteArrayOutputStream();
    System.setErr(new PrintStream(told, true, StandardCharsets.UTF_8));
    try {
      assertThat(run(new StringWriter(), "steady")).isZero();
    } finally {
      System.setErr(stderr);
    }
    assertThat(told.toString(StandardCharsets.UTF_8))
        .contains("simulated seconds 100%", "1200/1200");
  }

  private String hash(String scenario, String... options) {
    StringWriter out = new StringWriter();
    assertThat(run(out, scenario, options)).as(err.toString()).isZero();
    Matcher m = HASH.matcher(out.toString());
    assertThat(m.find()).as(out.toString()).isTrue();
    return m.group(1);
  }

  private int run(StringWriter out, String scenario, String... options) {
    List<String> arguments = new ArrayList<>();
    arguments.add("simulate");
    arguments.add(folder.resolve(scenario + ".yaml").toString());
    arguments.addAll(List.of(options));
    return Workbench.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments.toArray(String[]::new));
  }
}
