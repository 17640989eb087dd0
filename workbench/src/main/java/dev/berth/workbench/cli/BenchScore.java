package dev.berth.workbench.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.berth.service.config.ConfigLoader;
import dev.berth.workbench.TemporaryFolder;
import dev.berth.workbench.bench.FirstScore;
import dev.berth.workbench.bench.FlaskRivals;
import dev.berth.workbench.bench.ImageFolder;
import dev.berth.workbench.bench.RandomNetwork;
import dev.berth.workbench.bench.ScoreBench;
import dev.berth.workbench.console.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth bench-score}: how long a scheduler waits for its scores. */
@Command(
    name = "bench-score",
    description = "Measure the latency of /score over a kept-alive loopback connection.")
final class BenchScore implements Callable<Integer> {
  /** Of one turn beside a rival. */
  private static final int MIN_REQUESTS = 500;

  @Option(
      names = "--candidates",
      split = ",",
      paramLabel = "N",
      defaultValue = "10,100,500,1000,5000",
      description = "Numbers of candidate nodes. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<Integer> candidates;

  @Option(
      names = "--connections",
      split = ",",
      paramLabel = "N",
      defaultValue = "1,8",
      description = "Connections that ask side by side. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<Integer> connections;

  @Option(
      names = "--requests",
      defaultValue = "3000",
      description =
          "Least requests per line of the table, after as many to warm up. Default: ${DEFAULT-VALUE}")
  private int requests;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "6",
      description = {
        "Least seconds of each line, after as many to warm up: a learner has its first rewards",
        "after five. Default: ${DEFAULT-VALUE}"
      })
  private int seconds;

  @Option(
      names = "--per-second",
      paramLabel = "N",
      defaultValue = "0",
      description = {
        "Questions that are due in a second, as a scheduler has them; a late one counts from when it",
        "was due. Default: 0, as many as can be asked."
      })
  private int perSecond;

  @Option(
      names = "--json-form",
      description = "Ask in JSON instead of binary columns, which is what the plugin sends.")
  private boolean json;

  @Option(
      names = "--out",
      paramLabel = "FILE",
      description = "Write the table, or the starts, as JSON, too.")
  private @Nullable Path out;

  @Option(
      names = "--first",
      paramLabel = "STARTS",
      description =
          "Instead: how long the first requests to a fresh process take, over this many starts.")
  private int first;

  @Option(
      names = "--rival-python",
      paramLabel = "FILE",
      description =
          "Measure a Flask + PyTorch service beside ours, by this Python, which needs the packages"
              + " of workbench/rivals/requirements.txt ('make rivals').")
  private @Nullable Path rivalPython;

  @Option(
      names = "--policy",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "predict-then-greedy,dqn",
      description = "Policies that score, learned ones while learning. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<String> policies;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    // Servers that come and go would write their lines across the bar.
    ((Logger) LoggerFactory.getLogger("dev.berth")).setLevel(Level.WARN);
    atLeast(0, "--per-second", perSecond);
    atLeast(0, "--seconds", seconds);
    atLeast(1, "--requests", requests);
    candidates.forEach(n -> atLeast(1, "--candidates", n));
    connections.forEach(n -> atLeast(1, "--connections", n));
    if (first > 0) {
      firstScores();
      return 0;
    }
    // A name that is wrong is told before anything is measured, and before there is a bar.
    policies.forEach(name -> ConfigLoader.load(null, Map.of("BERTH_SCORING_POLICY", name)));
    List<ScoreBench.Row> rows = new ArrayList<>();
    int lines = candidates.size() * connections.size() * policies.size();
    try (Progress bar = Progress.of("bench-score", lines)) {
      for (String policy : policies) {
        for (int n : candidates) {
          for (int c : connections) {
            rows.add(
                measure(
                    policy,
                    new ScoreBench.Plan(n, c, !json, requests, seconds, perSecond),
                    state -> {}));
            bar.step();
          }
        }
      }
    }
    PrintWriter table = spec.commandLine().getOut();
    table.printf(
        "%n%d requests and %d s each or more, %s%n%n",
        requests, seconds, json ? "JSON" : "binary columns");
    table.println(
        "| policy | candidates | connections | request kB | p50 ms | p99 ms | p99.9 ms | max ms |"
            + " requests/s | gradient steps |");
    table.println("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|");
    for (ScoreBench.Row r : rows) {
      table.printf(
          Locale.ROOT,
          "| %s | %d | %d | %.1f | %.3f | %.3f | %.3f | %.3f | %.0f | %d |%n",
          r.policy(),
          r.candidates(),
          r.connections(),
          r.bodyBytes() / 1000.0,
          r.p50() / 1000.0,
          r.p99() / 1000.0,
          r.p999() / 1000.0,
          r.max() / 1000.0,
          r.perSecond(),
          r.learned());
    }
    List<FlaskRivals.Row> beside = rivalPython == null ? List.of() : beside(rivalPython);
    write(
        Map.of(
            "rows",
            rows,
            "p99_us_500",
            p99Of500(rows),
            "beside_flask",
            beside,
            "load_average",
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
    return 0;
  }

  private void atLeast(int least, String option, int value) {
    if (value < least) {
      throw new ParameterException(
          spec.commandLine(), "%s: %d is below %d".formatted(option, value, least));
    }
  }

  /** The same candidates scored by ours and by services of Flask and PyTorch, by turns. */
  private List<FlaskRivals.Row> beside(Path python) throws IOException, InterruptedException {
    PrintWriter table = spec.commandLine().getOut();
    table.printf("%n| service | candidates | request kB | p50 ms | p99 ms | requests/s |");
    table.printf(" times ours, p50 | p99 |%n|---|---:|---:|---:|---:|---:|---:|---:|%n");
    table.flush();
    List<FlaskRivals.Row> all = new ArrayList<>();
    try (TemporaryFolder logs = new TemporaryFolder("berth-bench");
        FlaskRivals rivals = new FlaskRivals(python, logs.path());
        Progress bar = Progress.of("beside Flask and PyTorch", candidates.size())) {
      for (int n : candidates) {
        ScoreBench.Plan plan = new ScoreBench.Plan(n, 1, !json, MIN_REQUESTS, seconds, 0);
        List<FlaskRivals.Row> rows =
            rivals.beside("Berth, dqn", () -> measure("dqn", plan, RandomNetwork::put), n);
        all.addAll(rows);
        rows.forEach(r -> print(table, r));
        bar.step();
      }
    }
    return all;
  }

  private static void print(PrintWriter table, FlaskRivals.Row r) {
    table.printf(
        Locale.ROOT,
        "| %s | %d | %.1f | %.3f | %.3f | %.0f | %.1f | %.1f |%n",
        r.service(),
        r.candidates(),
        r.bodyBytes() / 1000.0,
        r.p50() / 1000.0,
        r.p99() / 1000.0,
        r.perSecond(),
        r.timesOurs(),
        r.timesOursAtP99());
    table.flush();
  }

  /** Of one connection, by policy, microseconds: what the targets are about. */
  private static Map<String, Long> p99Of500(List<ScoreBench.Row> rows) {
    return rows.stream()
        .filter(r -> r.candidates() == 500 && r.connections() == 1)
        .collect(Collectors.toMap(ScoreBench.Row::policy, ScoreBench.Row::p99));
  }

  private void write(Map<String, Object> content) throws IOException {
    if (out != null) {
      Files.createDirectories(out.toAbsolutePath().getParent());
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .writeValue(out.toFile(), content);
    }
  }

  private void firstScores() throws IOException, InterruptedException {
    PrintWriter table = spec.commandLine().getOut();
    List<FirstScore.Start> starts = new ArrayList<>();
    try (TemporaryFolder folder = new TemporaryFolder("berth-bench")) {
      ImageFolder image = ImageFolder.layOut(ClusterOptions.root(), folder.path().resolve("image"));
      table.println("| candidates | listens after ms | 1st ms | 2nd ms | 20th ms | max ms |");
      table.println("|---:|---:|---:|---:|---:|---:|");
      for (int n : candidates) {
        for (int i = 0; i < first; i++) {
          FirstScore.Start s =
              FirstScore.measure(image, n, policies.get(0), folder.path().resolve(n + "-" + i));
          starts.add(s);
          print(table, n, s);
        }
      }
    }
    write(Map.of("starts", starts));
  }

  private static void print(PrintWriter table, int candidates, FirstScore.Start start) {
    double[] ms = start.scoreMillis();
    table.printf(
        Locale.ROOT,
        "| %d | %.0f | %.1f | %.1f | %.1f | %.1f |%n",
        candidates,
        start.startMillis(),
        ms[0],
        ms[1],
        ms[ms.length - 1],
        Arrays.stream(ms).max().orElse(Double.NaN));
    table.flush();
  }

  /**
   * @param prepare does what is to be done to the empty state folder
   */
  private static ScoreBench.Row measure(String policy, ScoreBench.Plan plan, Consumer<Path> prepare)
      throws IOException, InterruptedException {
    try (TemporaryFolder state = new TemporaryFolder("berth-bench")) {
      prepare.accept(state.path());
      return new ScoreBench(
              ConfigLoader.load(
                  null,
                  Map.of(
                      "BERTH_SERVER_PORT",
                      "0",
                      "BERTH_SERVER_SCHEDULER_PORT",
                      "0",
                      "BERTH_SCORING_POLICY",
                      policy,
                      // Rewards come soon, so that the learner learns from the start.
                      "BERTH_TRAINER_SETTLE",
                      "2s",
                      "BERTH_TRAINER_WINDOW",
                      "2s",
                      "BERTH_TRAINER_LEARNING_STARTS",
                      "32",
                      // One decision in ten is placed: of these as many as a service learns from.
                      "BERTH_TRAINER_DECISIONS_PER_SECOND",
                      "200",
                      "BERTH_STATE_FOLDER",
                      state.path().toString())))
          .run(plan);
    }
  }
}
