package dev.berth.service.cli;

import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.simulator.gpu.FillUpCharts;
import dev.berth.simulator.gpu.FillUpCsv;
import dev.berth.simulator.gpu.FillUpExperiment;
import dev.berth.simulator.gpu.FillUpReport;
import dev.berth.simulator.gpu.FillUpResult;
import dev.berth.simulator.gpu.GpuScorers;
import dev.berth.simulator.gpu.GpuTrace;
import dev.berth.simulator.gpu.TraceReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth gpu-fill}: the published fill-up experiment on a GPU trace. */
@Command(
    name = "gpu-fill",
    description = {
      "Fill a GPU cluster with a trace's pods until demand passes capacity, as published for"
          + " Fragmentation Gradient Descent (USENIX ATC 2023), and compare policies.",
      "Policies: random, dot-product, gpu-clustering, gpu-packing, best-fit, fgd, berth (learned)."
    })
final class GpuFill implements Callable<Integer> {

  @Option(
      names = "--nodes",
      required = true,
      paramLabel = "FILE",
      description = "Node list: sn,cpu_milli,memory_mib,gpu,model; plain or gzip.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path nodes;

  @Option(
      names = "--pods",
      required = true,
      paramLabel = "FILE",
      description =
          "Pod list: name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec,...]; plain or gzip.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path pods;

  @Option(
      names = "--demand",
      defaultValue = "1.3",
      description = "GPU demand to arrive, times capacity. Default: ${DEFAULT-VALUE}.")
  private double demand;

  @Option(
      names = "--policies",
      split = ",",
      defaultValue = "best-fit,fgd,berth",
      description = "Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private List<String> policies;

  @Option(
      names = "--seeds",
      converter = SeedRange.Converter.class,
      defaultValue = "42-51",
      description = "Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private SeedRange seeds;

  @Option(
      names = "--ties",
      defaultValue = "published",
      description =
          "Who wins among equal scores: published (a fixed random order, as in the paper's patched"
              + " scheduler) or random (the stock kube-scheduler). Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private TieRule ties;

  @Option(
      names = "--model",
      paramLabel = "FILE",
      description = "Model behind 'berth'. Default: the one that ships.")
  private @Nullable Path model;

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
    GpuTrace trace = TraceReader.read(nodes, pods);
    GpuScorers scorers = new GpuScorers(load(model));
    for (String policy : policies) {
      scorers.make(policy, trace, 0); // an unknown name is refused before the first run
    }
    List<FillUpResult> results = run(trace, scorers);
    PrintWriter console = spec.commandLine().getOut();
    console.printf(
        "%ntrace %s: %d nodes, %d GPUs, demand %.0f %%, ties %s, seeds %d..%d%n%n",
        trace.name(),
        trace.nodes().size(),
        trace.capacityMilli() / 1000,
        100 * demand,
        ties.name().toLowerCase(Locale.ROOT),
        seeds.seeds().get(0),
        seeds.seeds().get(seeds.seeds().size() - 1));
    FillUpReport report = new FillUpReport(results, rival());
    console.println(report.allocation());
    console.println("Failed pods, by class (rate) and by what was missing (pods):\n");
    console.println(report.failures());
    if (out != null) {
      FillUpCsv.write(out, results);
      console.println("curves: " + out);
    }
    if (charts != null) {
      draw(charts, trace, results, console);
    }
    console.flush();
    return 0;
  }

  /** Differences are taken to FGD where it runs, else to the first policy. */
  private String rival() {
    return policies.contains("fgd") ? "fgd" : policies.get(0);
  }

  private List<FillUpResult> run(GpuTrace trace, GpuScorers scorers) {
    ProgressBarBuilder bar =
        new ProgressBarBuilder()
            .setTaskName("gpu-fill " + trace.name())
            .setStyle(ProgressBarStyle.ASCII)
            .setInitialMax((long) policies.size() * seeds.seeds().size());
    try (ProgressBar progress = bar.build()) {
      return new FillUpExperiment(scorers, threads)
          .run(trace, demand, ties, policies, seeds.seeds(), run -> progress.step());
    }
  }

  private void draw(Path folder, GpuTrace trace, List<FillUpResult> results, PrintWriter console)
      throws IOException {
    Files.createDirectories(folder);
    String rule = ties.name().toLowerCase(Locale.ROOT);
    String title = trace.name() + ", " + rule + " ties";
    Path allocation = folder.resolve("allocation-" + trace.name() + "-" + rule + ".png");
    Path fragmentation = folder.resolve("fragmentation-" + trace.name() + "-" + rule + ".png");
    FillUpCharts.allocation(allocation, title, results);
    FillUpCharts.fragmentation(fragmentation, title, results);
    console.println("pictures: " + allocation + ", " + fragmentation);
  }

  static ValueModel load(@Nullable Path file) throws IOException {
    if (file == null) {
      return ValueModel.shipped();
    }
    try (InputStream in = Files.newInputStream(file)) {
      return ValueModel.read(in);
    } catch (IOException e) {
      throw new IOException("cannot read model " + file + ": " + e.getMessage(), e);
    }
  }
}
