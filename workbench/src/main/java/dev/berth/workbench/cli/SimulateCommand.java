package dev.berth.workbench.cli;

import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.DecisionHash;
import dev.berth.simulator.engine.Simulation;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.experiment.Experiment;
import dev.berth.simulator.experiment.Metric;
import dev.berth.simulator.experiment.Recorder;
import dev.berth.simulator.experiment.RunMetrics;
import dev.berth.simulator.oracle.PolicyCatalog;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.workload.DeploymentCsv;
import dev.berth.workbench.console.Progress;
import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth simulate}: one scenario, one policy, one seed. */
@Command(
    name = "simulate",
    description = "Run one scenario under one policy on a virtual clock and print what came of it.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth simulate deployments --policy default",
      "  berth simulate n10-burst-80-s60-l30 --policy predict-then-greedy --seed 9001",
      "  berth simulate my-scenario.yaml --policy oracle-profile",
      "  berth simulate deployments --seed 7 --save-deployments list.csv",
      "  berth simulate deployments --seed 7 --deployments list.csv --policy default",
      "Scenario files are described in docs/scenarios.md, metrics in docs/simulator.md."
    })
final class SimulateCommand implements Callable<Integer> {
  @Parameters(paramLabel = "SCENARIO", description = "Name of a shipped scenario, or a .yaml file.")
  private String scenario = "";

  @Option(
      names = "--policy",
      paramLabel = "P",
      defaultValue = "predict-then-greedy",
      description = "Who places pods; a wrong name lists all. Default: ${DEFAULT-VALUE}.")
  private String policy = "";

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "Seed of the run. Default: the scenario's first.")
  private @Nullable Long seed;

  @Option(
      names = "--record",
      paramLabel = "FILE",
      description =
          "Write every event as JSON lines, for berth train --prefill or a replay elsewhere.")
  private @Nullable Path record;

  @Option(
      names = "--save-deployments",
      paramLabel = "FILE",
      description = "Write the list of Deployments that is played as CSV.")
  private @Nullable Path saveDeployments;

  @Option(
      names = "--deployments",
      paramLabel = "FILE",
      description =
          "Play this CSV instead of drawing a list; same list, seed and policy, same run hash.")
  private @Nullable Path deployments;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  /** How far the virtual clock is. */
  private record Clock(Progress bar) implements SimulationListener {
    @Override
    public void advanced(Cluster truth, double from, double seconds) {
      bar.stepTo((long) (from + seconds));
    }
  }

  @Override
  public Integer call() throws IOException {
    Scenario s = ScenarioLibrary.one(scenario);
    PolicyCatalog catalog = PolicyNames.catalog();
    long number = seed == null ? s.seeds().first() : seed;
    RunMetrics metrics = new RunMetrics(s);
    DecisionHash hash = new DecisionHash();
    Simulation simulation =
        Experiment.simulation(s, catalog.find(policy), number, catalog)
            .listen(metrics)
            .listen(hash);
    if (deployments != null) {
      simulation.replay(DeploymentCsv.read(deployments));
    }
    if (saveDeployments != null) {
      DeploymentCsv.write(saveDeployments, simulation.deployments());
    }
    var threads = ManagementFactory.getThreadMXBean();
    long begun = System.nanoTime();
    long cpuBegun = threads.getCurrentThreadCpuTime();
    long decisions;
    try (Progress bar = Progress.of("simulated seconds", (long) s.durationSeconds())) {
      simulation.listen(new Clock(bar));
      if (record == null) {
        decisions = simulation.run();
      } else {
        try (Writer writer = Files.newBufferedWriter(record)) {
          decisions = simulation.listen(new Recorder(s, simulation.cluster(), writer)).run();
        }
      }
    }
    double took = (System.nanoTime() - begun) / 1e9;
    double cpu = (threads.getCurrentThreadCpuTime() - cpuBegun) / 1e9;
    var out = spec.commandLine().getOut();
    out.printf("%s, policy %s, seed %d%n", s.name(), policy, number);
    if (!s.description().isEmpty()) {
      out.println(s.description());
    }
    out.println();
    for (Map.Entry<Metric, Double> entry : metrics.values().entrySet()) {
      out.printf(Locale.ROOT, "  %-22s %12.6g%n", entry.getKey().key(), entry.getValue());
    }
    out.printf(
        Locale.ROOT,
        "%n%d pods placed, %d of them by choice; %.1f h in %.2f s; %.0f decisions per second of"
            + " CPU; run hash %016x%n",
        hash.binds(),
        decisions,
        s.durationSeconds() / 3600,
        took,
        decisions / cpu,
        hash.value());
    return 0;
  }
}
