package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.AgentNetwork;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.simulator.experiment.WorkFolder;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class LeaderboardCommandTest {
  @TempDir private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void scenarios() throws IOException {
    Files.createDirectories(folder.resolve("train"));
    Files.createDirectories(folder.resolve("unseen"));
    String scenario =
        """
        duration: 20m
        warmup: 10m
        nodes: [{count: 4, cpu: 16, memory: 64Gi}]
        workload: {kind: steady, load: 50%}
        """;
    Files.writeString(folder.resolve("train/known.yaml"), scenario);
    Files.writeString(folder.resolve("unseen/fresh.yaml"), scenario.replace("steady", "churn"));
  }

  private int berth(String... options) {
    List<String> arguments = new ArrayList<>(List.of("leaderboard"));
    arguments.addAll(List.of(options));
    return Workbench.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments.toArray(String[]::new));
  }

  private int leaderboard(String policies, String seeds) {
    return leaderboard(policies, seeds, 1);
  }

  private int leaderboard(String policies, String seeds, int processes) {
    return berth(
        "--scenarios",
        folder.toString(),
        "--policies",
        policies,
        "--seeds",
        seeds,
        "--processes",
        Integer.toString(processes),
        "--out",
        folder.resolve("out").toString());
  }

  @Test
  void two_processes_fill_one_table_and_a_second_call_only_adds_what_is_missing()
      throws IOException {
    assertThat(leaderboard("random,default", "2", 2)).as(err.toString()).isZero();
    Path csv = folder.resolve("out/leaderboard.csv");
    List<String> first = Files.readAllLines(csv);
    assertThat(first.get(0)).isEqualTo("scenario,seen_in_training,policy,seed,metric,value");
    assertThat(first).anyMatch(l -> l.startsWith("known,true,random,9001,cost,"));
    assertThat(first).anyMatch(l -> l.startsWith("fresh,false,default,9002,evictions,"));

    assertThat(leaderboard("random,default,predict-then-greedy", "2", 2)).isZero();
    assertThat(out.toString())
        .contains("12 runs, 8 of them done before", "| random | 0", "leaderboard.md");
    assertThat(Files.readAllLines(csv)).containsAll(first).hasSize(1 + (first.size() - 1) * 3 / 2);
    assertThat(Files.readString(folder.resolve("out/leaderboard.md")))
        .contains("predict-then-greedy", "never seen");
    assertThat(ImageIO.read(folder.resolve("out/leaderboard.png").toFile()).getWidth())
        .isGreaterThan(500);
  }

  @Test
  void a_narrower_second_call_loses_nothing_of_the_first() throws IOException {
    assertThat(leaderboard("random,default", "2")).as(err.toString()).isZero();
    Path csv = folder.resolve("out/leaderboard.csv");
    List<String> first = Files.readAllLines(csv);
    assertThat(leaderboard("default", "1")).as(err.toString()).isZero();
    assertThat(Files.readAllLines(csv)).isEqualTo(first);
    assertThat(Files.readString(folder.resolve("out/leaderboard.md"))).doesNotContain("| random");
  }

  @Test
  void only_policies_that_ran_are_compared_with() throws IOException {
    assertThat(leaderboard("random,default", "1")).as(err.toString()).isZero();
    assertThat(Files.readString(folder.resolve("out/leaderboard.md")))
        .contains("| policy | against default | clearly better / worse |")
        .contains("lowest mean of each scenario among default.") // no best of several
        .doesNotContain("against best shipped")
        .doesNotContain("than default-spread", "against predict-then-greedy", "gap closed");
    assertThat(leaderboard("random", "1")).as(err.toString()).isZero();
    assertThat(Files.readString(folder.resolve("out/leaderboard.md")))
        .contains("lowest mean of each scenario among none that was run.")
        .doesNotContain("against", "in bold");
  }

  @Test
  void two_at_once_in_one_folder_are_refused_and_so_is_no_worker_at_all() throws IOException {
    try (Closeable other = new WorkFolder(folder.resolve("out"), List.of(), Map.of()).lock()) {
      assertThat(other).isNotNull();
      assertThat(leaderboard("random", "1")).isNotZero();
      assertThat(err.toString()).contains("another leaderboard is at work in");
    }
    assertThat(leaderboard("random", "1", 0)).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("--processes: 0 is below 1");
  }

  @Test
  void figures_of_a_model_that_has_changed_since_are_not_mixed_with_new_ones() throws IOException {
    Path run = Files.createDirectories(folder.resolve("run"));
    train(run, 1);
    assertThat(leaderboard("model:" + run, "1")).as(err.toString()).isZero();
    assertThat(leaderboard("model:" + run, "2")).as("the same model").isZero();
    train(run, 2);
    assertThat(leaderboard("model:" + run, "3")).isNotZero();
    assertThat(err.toString())
        .contains("another version of policy model:" + run + ": choose another --out or remove");
  }

  private static void train(Path run, long seed) throws IOException {
    AgentConfig config = AgentConfig.defaults(AgentKind.DQN).with(p -> p.hidden = List.of(2));
    Weights weights = AgentNetwork.initial(config, new SplittableRandom(seed));
    BalanceModel model =
        BalanceModel.of(config, weights, new Adam(weights.spec(), 1).moments(), 0, 0);
    Files.write(run.resolve("model.bin"), model.encode());
  }

  @Test
  void wrong_names_are_answered_with_the_right_ones_before_any_work() {
    assertThat(leaderboard("defualt", "2")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString())
        .contains("unknown policy 'defualt'; did you mean default?; there are:", "oracle-profile");
    assertThat(leaderboard("default", "ten")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("seeds 'ten': write a count (10) or a span (9001-9010)");
    assertThat(berth("--scenarios", "n10-steady-5000")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString())
        .contains(
            "no scenario 'n10-steady-5000'", "; there are: batch,", "folders aaml,", "worlds");
    assertThat(berth("--scenarios", "chrun")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("no scenario 'chrun'; did you mean churn?");
    assertThat(berth("--scenarios", "mine/steady.yaml")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString())
        .contains("no file 'mine/steady.yaml': check the path")
        .doesNotContain("no scenario 'mine");
    assertThat(leaderboard("default,,default", "2")).isEqualTo(CommandLine.ExitCode.USAGE);
    assertThat(err.toString()).contains("unknown policy '';");
  }

  @Test
  void equal_pain_makes_a_table_of_load_and_nodes_and_a_second_call_runs_nothing_again()
      throws IOException {
    String[] search = {
      "--equal-pain",
      "--scenarios",
      folder.resolve("unseen").toString(),
      "--policies",
      "random",
      "--reference",
      "default",
      "--seeds",
      "2",
      "--processes",
      "1",
      "--out",
      folder.resolve("pain").toString()
    };
    assertThat(berth(search)).as(err.toString()).isZero();
    String tables = Files.readString(folder.resolve("pain/equal-pain.md"));
    assertThat(tables).contains("Load carried, points more than default", "--reference default");
    assertThat(Files.readAllLines(folder.resolve("pain/equal-pain.csv"))).hasSize(1 + 2 * 4 * 2);
    Path runs = folder.resolve("pain/equal-pain/leaderboard.csv");
    String done = Files.readString(runs);
    assertThat(berth(search)).isZero();
    assertThat(Files.readString(runs)).isEqualTo(done);
    assertThat(Files.readString(folder.resolve("pain/equal-pain.md"))).isEqualTo(tables);
  }

  @Test
  void recorded_usage_is_compared_where_it_is_and_skipped_by_name_where_it_is_not()
      throws IOException {
    Path history = Path.of(System.getProperty("berth.root", ".."), "simulator/scenarios/histories");
    String usage =
        """
        duration: 20m
        warmup: 10m
        nodes: [{count: 3, cpu: 4, memory: 16Gi}]
        workload: {kind: steady, load: 50%, replicas: [1, 4]}
        usage: {history: "FILE"}
        """;
    Path real = Files.createDirectories(folder.resolve("real"));
    Path here = history.toAbsolutePath().resolve("small.csv");
    Files.writeString(real.resolve("here.yaml"), usage.replace("FILE", here.toString()));
    Files.writeString(
        real.resolve("absent.yaml"), usage.replace("FILE", "${BERTH_NO_SUCH}/planetlab.csv.gz"));
    assertThat(leaderboard("default-spread,oracle-now,predict-then-greedy", "1")).isZero();
    assertThat(Files.readString(folder.resolve("out/leaderboard.md"))).contains("| here |");
    assertThat(err.toString())
        .containsOnlyOnce("skipped ")
        .contains("absent.yaml:5: recorded data is not part of Berth: set BERTH_NO_SUCH");

    Files.delete(real.resolve("here.yaml"));
    int refused = berth("--scenarios", real.toString(), "--out", folder.resolve("none").toString());
    assertThat(refused).isNotZero();
    assertThat(err.toString()).contains("no scenario of it can run here, their data is missing");
  }
}
