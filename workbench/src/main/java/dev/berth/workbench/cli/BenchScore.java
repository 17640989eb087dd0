package dev.berth.workbench.cli;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.berth.service.config.ConfigLoader;
import dev.berth.workbench.Folders;
import dev.berth.workbench.bench.FirstScore;
import dev.berth.workbench.bench.ScoreBench;
import dev.berth.workbench.console.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth bench-score}: how long a scheduler waits for its scores. */
@Command(
    name = "bench-score",
    description = "Measure the latency of /score over a kept-alive loopback connection.")
final class BenchScore implements Callable<Integer> {

  @Option(
      names = "--candidates",
      split = ",",
      paramLabel = "N",
      defaultValue = "10,100,500,1000,5000",
      description = "Numbers of candidate nodes. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<Integer> candidates;

  @Option(
      names = "--requests",
      defaultValue = "3000",
      description =
          "Requests per number of candidates, after as many to warm up. Default: ${DEFAULT-VALUE}")
  private int requests;

  @Option(
      names = "--first",
      paramLabel = "STARTS",
      description =
          "Instead: how long the first requests to a fresh process take, over this many starts.")
  private int first;

  @Option(
      names = "--policy",
      defaultValue = "predict-then-greedy",
      description = "Policy that scores. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private String policy;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    // Servers that come and go would write their lines across the bar.
    ((Logger) LoggerFactory.getLogger("dev.berth")).setLevel(Level.WARN);
    if (first > 0) {
      firstScores();
      return 0;
    }
    List<ScoreBench.Row> rows = new ArrayList<>();
    try (Progress bar = Progress.of("bench-score", 2L * requests * candidates.size())) {
      for (int n : candidates) {
        rows.add(measure(n, bar));
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "%npolicy %s, %d requests each, one kept-alive loopback connection%n%n", policy, requests);
    out.println("| candidates | request kB | p50 ms | p99 ms | max ms | requests/s |");
    out.println("|---:|---:|---:|---:|---:|---:|");
    for (ScoreBench.Row r : rows) {
      out.printf(
          Locale.ROOT,
          "| %d | %.1f | %.3f | %.3f | %.3f | %.0f |%n",
          r.candidates(),
          r.bodyBytes() / 1000.0,
          r.p50() / 1000.0,
          r.p99() / 1000.0,
          r.max() / 1000.0,
          r.perSecond());
    }
    return 0;
  }

  private void firstScores() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    out.println("| candidates | listens after ms | 1st ms | 2nd ms | 20th ms | max ms |");
    out.println("|---:|---:|---:|---:|---:|---:|");
    for (int n : candidates) {
      for (int i = 0; i < first; i++) {
        Path state = Files.createTempDirectory("berth-bench");
        try {
          FirstScore.Start s = FirstScore.measure(n, policy, state);
          double[] ms = s.scoreMillis();
          out.printf(
              Locale.ROOT,
              "| %d | %.0f | %.1f | %.1f | %.1f | %.1f |%n",
              n,
              s.startMillis(),
              ms[0],
              ms[1],
              ms[ms.length - 1],
              Arrays.stream(ms).max().orElse(Double.NaN));
          out.flush();
        } finally {
          Folders.delete(state);
        }
      }
    }
  }

  private ScoreBench.Row measure(int n, Progress bar) throws IOException {
    Path state = Files.createTempDirectory("berth-bench");
    try {
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
                      "BERTH_STATE_FOLDER",
                      state.toString())),
              requests)
          .run(n, step -> bar.step());
    } finally {
      Folders.delete(state);
    }
  }
}
