package dev.berth.workbench.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.berth.simulator.engine.DecisionHash;
import dev.berth.simulator.experiment.Experiment;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.scenario.ScenarioFile;
import dev.berth.simulator.usage.Draws;
import dev.berth.workbench.TemporaryFolder;
import dev.berth.workbench.console.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth bench-simulator}: how many decisions a second of CPU is good for. */
@Command(
    name = "bench-simulator",
    description =
        "Measure the simulator: cost of a decision by number of candidates, and the CPU of a"
            + " suite.")
final class BenchSimulator implements Callable<Integer> {
  /** Pods of a run that is about the cost of a decision. */
  private static final int PODS = 3_000;

  private static final int CORES = 64;

  @Option(
      names = "--nodes",
      split = ",",
      paramLabel = "N",
      defaultValue = "100,1000,10000",
      description = "Cluster sizes, every node a candidate. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<Integer> nodes;

  @Option(
      names = "--suite",
      split = ",",
      paramLabel = "S",
      defaultValue = "train,unseen",
      description = "Scenarios played once by every policy. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<String> suite;

  @Option(
      names = "--policies",
      split = ",",
      paramLabel = "P",
      defaultValue = "default-spread,usage-plus-estimate,oracle-owners,predict-then-greedy",
      description = "Policies of the suite. Default: ${DEFAULT-VALUE}")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<String> policies;

  @Option(names = "--out", paramLabel = "FILE", description = "Write the figures as JSON, too.")
  private @Nullable Path out;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  /**
   * A run.
   *
   * @param cpuSeconds of its thread
   * @param hash of everything that happened
   */
  private record Played(long decisions, double cpuSeconds, long hash) {}

  /** A line of the table. */
  private record Row(
      int nodes, long decisions, double perSecond, double nanosPerCandidate, String hash) {}

  @Override
  public Integer call() throws IOException {
    PolicyCatalog catalog = PolicyNames.catalog();
    PrintWriter text = spec.commandLine().getOut();
    List<Row> rows = new ArrayList<>();
    text.println("| nodes | decisions | decisions/s of CPU | ns a candidate | run hash |");
    text.println("|---:|---:|---:|---:|---|");
    for (int n : nodes) {
      Scenario scenario = ofSize(n);
      play(scenario, "predict-then-greedy", catalog); // compiles
      Played run = play(scenario, "predict-then-greedy", catalog);
      double each = run.cpuSeconds() / run.decisions();
      Row row =
          new Row(n, run.decisions(), 1 / each, 1e9 * each / n, "%016x".formatted(run.hash()));
      rows.add(row);
      text.printf(
          Locale.ROOT,
          "| %d | %d | %.0f | %.0f | %s |%n",
          n,
          row.decisions(),
          row.perSecond(),
          row.nanosPerCandidate(),
          row.hash());
      text.flush();
    }
    List<Scenario> scenarios = ScenarioLibrary.all(suite);
    int runs = scenarios.size() * policies.size();
    double cpu = 0;
    long decisions = 0;
    long hash = 0;
    try (Progress bar = Progress.of("suite, one seed", runs)) {
      for (Scenario scenario : scenarios) {
        for (String policy : policies) {
          Played run = play(scenario, policy, catalog);
          cpu += run.cpuSeconds();
          decisions += run.decisions();
          hash = Draws.hash(hash, Long.toHexString(run.hash()));
          bar.step();
        }
      }
    }
    text.printf(
        Locale.ROOT,
        "%n%s: %d runs of one seed each, %.1f s of CPU, %.0f decisions per second of it; hash of"
            + " all run hashes %016x%n",
        String.join(",", suite),
        runs,
        cpu,
        decisions / cpu,
        hash);
    if (out != null) {
      Files.createDirectories(out.toAbsolutePath().getParent());
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .writeValue(
              out.toFile(),
              Map.of(
                  "rows", rows,
                  "suite_runs", runs,
                  "suite_cpu_seconds", cpu,
                  "suite_decisions_per_second", decisions / cpu,
                  "suite_hash", "%016x".formatted(hash)));
    }
    return 0;
  }

  private static Played play(Scenario scenario, String policy, PolicyCatalog catalog) {
    var threads = ManagementFactory.getThreadMXBean();
    DecisionHash hash = new DecisionHash();
    long begun = threads.getCurrentThreadCpuTime();
    long decisions =
        Experiment.simulation(scenario, catalog.find(policy), scenario.seeds().first(), catalog)
            .listen(hash)
            .run();
    return new Played(decisions, (threads.getCurrentThreadCpuTime() - begun) * 1e-9, hash.value());
  }

  /** A cluster of some nodes with about as many pods whatever its size, all of them candidates. */
  private static Scenario ofSize(int nodes) throws IOException {
    try (TemporaryFolder folder = new TemporaryFolder("berth-bench")) {
      Path file = folder.path().resolve("n" + nodes + ".yaml");
      Files.writeString(
          file,
          String.format(
              Locale.ROOT,
              """
              duration: 10m
              warmup: 0s
              percentage_of_nodes_to_score: 100
              nodes:
                - {count: %d, cpu: %d, memory: 256Gi, pods: 110}
              workload: {kind: steady, load: %.3f%%}
              """,
              nodes,
              CORES,
              Math.min(60, 100.0 * PODS / (nodes * CORES))));
      return ScenarioFile.read(file);
    }
  }
}
