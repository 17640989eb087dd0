package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class GpuAgentsTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int run(Object command, String... arguments) {
    Path examples = Path.of(System.getProperty("berth.root", ".")).resolve("docs/examples");
    List<String> all =
        new ArrayList<>(
            List.of(
                "--nodes=" + examples.resolve("gpu-nodes.csv"),
                "--pods=" + examples.resolve("gpu-pods.csv")));
    all.addAll(List.of(arguments));
    return new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(all.toArray(String[]::new));
  }

  private String trained(String agent) {
    Path file = folder.resolve(agent);
    int code =
        run(
            new GpuTrain(),
            "--agent=" + agent,
            "--episodes=1",
            "--updates=5",
            "--validation-seeds=1000",
            "--out=" + file);
    assertThat(code).as(err.toString()).isZero();
    assertThat(out.toString()).contains("chosen: " + agent + " after 1 episodes");
    return "model:" + file;
  }

  @Test
  void trained_agents_stand_beside_fgd_in_one_table() {
    String gnn = trained("gnn");
    String plain = trained("plain-dqn");
    int code = run(new GpuFill(), "--policies=fgd,berth," + gnn + "," + plain, "--seeds=42-43");
    assertThat(code).as(err.toString()).isZero();
    assertThat(out.toString())
        .contains("| gpu-pods | berth | ")
        .contains("| gpu-pods | " + gnn + " | ")
        .contains("| gpu-pods | " + plain + " | ");
  }

  @Test
  void an_unknown_agent_is_answered_with_the_known_ones() {
    assertThat(run(new GpuTrain(), "--agent=ppo", "--out=x")).isEqualTo(2);
    assertThat(err.toString())
        .contains("unknown agent 'ppo'")
        .contains("dqn, gnn, ac, ac-gnn, plain-dqn");
  }

  @Test
  void a_model_that_is_not_there_is_named() {
    assertThat(run(new GpuFill(), "--policies=fgd,model:nowhere")).isNotZero();
    assertThat(err.toString()).contains("no model at nowhere").contains("berth gpu-train");
  }
}
