package dev.berth.service.cli;

import dev.berth.policy.gpu.TieRule;
import dev.berth.simulator.gpu.DepartureReport;
import dev.berth.simulator.gpu.DepartureRun;
import dev.berth.simulator.gpu.GpuScorers;
import dev.berth.simulator.gpu.GpuTrace;
import dev.berth.simulator.gpu.TraceReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
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

/** {@code berth gpu-load}: a GPU cluster under sustained load, with departures. */
@Command(
    name = "gpu-load",
    description =
        "Keep a GPU cluster under load: pods of a trace arrive, live their recorded life up to a cap,"
            + " and wait while nothing has room. Compares time-averaged allocation and waiting pods.")
final class GpuLoad implements Callable<Integer> {

  @Option(names = "--nodes", required = true, paramLabel = "FILE", description = "Node list.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path nodes;

  @Option(
      names = "--pods",
      required = true,
      paramLabel = "FILE",
      description = "Pod list with scheduled_time and deletion_time.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private Path pods;

  @Option(
      names = "--load",
      defaultValue = "0.95",
      description = "Offered GPU time over capacity. Default: ${DEFAULT-VALUE}.")
  private double load;

  @Option(
      names = "--max-lifetime",
      defaultValue = "7200",
      paramLabel = "SECONDS",
      description = "Cap of lifetimes. Default: ${DEFAULT-VALUE}.")
  private double maxLifetime;

  @Option(
      names = "--hours",
      defaultValue = "8",
      description = "Simulated hours; the first half is warm-up. Default: ${DEFAULT-VALUE}.")
  private double hours;

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
      defaultValue = "42-44",
      description = "Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private SeedRange seeds;

  @Option(
      names = "--ties",
      defaultValue = "random",
      description = "published or random, as for gpu-fill. Default: ${DEFAULT-VALUE}.")
  @SuppressWarnings("NullAway.Init") // set by picocli
  private TieRule ties;

  @Option(
      names = "--model",
      paramLabel = "FILE",
      description = "Model behind 'berth'. Default: the one that ships.")
  private @Nullable Path model;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    GpuTrace trace = TraceReader.read(nodes, pods);
    GpuScorers scorers = new GpuScorers(GpuFill.load(model).withDepartures());
    DepartureRun run =
        new DepartureRun(trace, new DepartureRun.Settings(load, maxLifetime, hours, 0.5));
    List<DepartureRun.Result> results = new ArrayList<>();
    ProgressBarBuilder bar =
        new ProgressBarBuilder()
            .setTaskName("gpu-load " + trace.name())
            .setStyle(ProgressBarStyle.ASCII)
            .setInitialMax((long) policies.size() * seeds.seeds().size());
    try (ProgressBar progress = bar.build()) {
      for (String policy : policies) {
        for (long seed : seeds.seeds()) {
          results.add(run.run(scorers.make(policy, trace, seed), ties, seed));
          progress.step();
        }
      }
    }
    PrintWriter console = spec.commandLine().getOut();
    console.printf(
        Locale.ROOT,
        "%ntrace %s: load %.2f, lifetimes up to %.0f s, %.1f h, ties %s%n%n%s",
        trace.name(),
        load,
        maxLifetime,
        hours,
        ties.name().toLowerCase(Locale.ROOT),
        DepartureReport.table(results, policies.contains("fgd") ? "fgd" : policies.get(0)));
    console.flush();
    return 0;
  }
}
