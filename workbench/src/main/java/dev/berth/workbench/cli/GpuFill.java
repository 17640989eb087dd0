package dev.berth.workbench.cli;

import dev.berth.simulator.gpu.FillUpComparison;
import dev.berth.simulator.gpu.FillUpCsv;
import dev.berth.simulator.gpu.FillUpExperiment;
import dev.berth.simulator.gpu.FillUpReport;
import dev.berth.simulator.gpu.FillUpResult;
import dev.berth.simulator.gpu.GpuPolicies;
import dev.berth.simulator.gpu.GpuTrace;
import dev.berth.simulator.gpu.TraceVariants;
import dev.berth.workbench.charts.FillUpCharts;
import dev.berth.workbench.console.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth gpu-fill}: the published fill-up experiment on a GPU trace. */
@Command(
    name = "gpu-fill",
    description = {
      "Fill a GPU cluster with a trace's pods until demand passes capacity, as published for"
          + " Fragmentation Gradient Descent (USENIX ATC 2023), and compare policies.",
      "Policies: random, dot-product, gpu-clustering, gpu-packing, best-fit, fgd, berth (learned),"
          + " model:FILE (any model of gpu-train)."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  berth gpu-fill --nodes docs/examples/gpu-nodes.csv --pods docs/examples/gpu-pods.csv",
      "  berth gpu-fill --nodes N.csv --pods P.csv --policies fgd,berth,model:out/dqn,model:out/gnn"
    })
final class GpuFill implements Callable<Integer> {

  @Mixin private GpuTraceOptions input = new GpuTraceOptions();

  @Mixin private GpuPolicyOptions choice = new GpuPolicyOptions();

  @Option(
      names = "--demand",
      defaultValue = "1.3",
      description = "GPU demand to arrive, times capacity. Default: ${DEFAULT-VALUE}.")
  private double demand;

  @Option(
      names = "--variants",
      description =
          "Judge on variants of each list instead: other shares of CPU, shared, multi-GPU and typed"
              + " pods, other memory, half of the nodes, early and late pods.")
  private boolean variants;

  @Option(names = "--out", paramLabel = "FILE.csv", description = "Write all curves here.")
  private @Nullable Path out;

  @Option(
      names = "--charts",
      paramLabel = "DIR",
      description = "Draw allocation and fragmentation over arrived demand here (PNG).")
  private @Nullable Path charts;

  @Option(
      names = "--threads",
      defaultValue = "2",
      description = "Runs at a time. Default: ${DEFAULT-VALUE}.")
  private int threads;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (!(demand > 0) || threads < 1) {
      throw new IllegalArgumentException(
          "--demand and --threads must be positive, got %s and %d".formatted(demand, threads));
    }
    List<GpuTrace> traces = input.read();
    if (variants) {
      traces = traces.stream().flatMap(t -> TraceVariants.forJudging(t).stream()).toList();
    }
    GpuPolicies factory = choice.factory();
    for (String policy : choice.policies()) {
      factory.make(policy, traces.get(0), 0); // an unknown name is refused before the first run
    }
    PrintWriter console = spec.commandLine().getOut();
    List<FillUpResult> all = new ArrayList<>();
    for (GpuTrace trace : traces) {
      List<FillUpResult> results = run(trace, factory);
      all.addAll(results);
      if (!variants) {
        report(trace, results, console);
      }
    }
    console.println("\n" + FillUpComparison.table(all(all), choice.rival()));
    if (out != null) {
      FillUpCsv.write(out, all);
      console.println("curves: " + out);
    }
    console.flush();
    return 0;
  }

  private List<FillUpComparison> all(List<FillUpResult> results) {
    return FillUpComparison.all(results, choice.rival());
  }

  private void report(GpuTrace trace, List<FillUpResult> results, PrintWriter console)
      throws IOException {
    console.printf(
        "%ntrace %s: %d nodes, %d GPUs, demand %.0f %%, ties %s, seeds %d..%d%n%n",
        trace.name(),
        trace.nodes().size(),
        trace.capacityMilli() / 1000,
        100 * demand,
        choice.tiesName(),
        choice.seeds().get(0),
        choice.seeds().get(choice.seeds().size() - 1));
    FillUpReport report = new FillUpReport(results, choice.rival());
    console.println(report.allocation());
    console.println("Failed pods, by class (rate) and by what was missing (pods):\n");
    console.println(report.failures());
    if (charts != null) {
      draw(charts, trace, results, console);
    }
  }

  private List<FillUpResult> run(GpuTrace trace, GpuPolicies factory) {
    long runs = (long) choice.policies().size() * choice.seeds().size();
    try (Progress progress = Progress.of("gpu-fill " + trace.name(), runs)) {
      return new FillUpExperiment(factory, threads)
          .run(
              trace,
              demand,
              choice.ties(),
              choice.policies(),
              choice.seeds(),
              run -> progress.step());
    }
  }

  private void draw(Path folder, GpuTrace trace, List<FillUpResult> results, PrintWriter console)
      throws IOException {
    Files.createDirectories(folder);
    String rule = choice.tiesName();
    String title = trace.name() + ", " + rule + " ties";
    Path allocation = folder.resolve("allocation-" + trace.name() + "-" + rule + ".png");
    Path fragmentation = folder.resolve("fragmentation-" + trace.name() + "-" + rule + ".png");
    FillUpCharts.allocation(allocation, title, results);
    FillUpCharts.fragmentation(fragmentation, title, results);
    console.println("pictures: " + allocation + ", " + fragmentation);
  }
}
