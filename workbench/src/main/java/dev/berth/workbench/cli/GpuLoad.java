package dev.berth.workbench.cli;

import dev.berth.policy.gpu.value.GpuModel;
import dev.berth.simulator.gpu.DepartureReport;
import dev.berth.simulator.gpu.DepartureRun;
import dev.berth.simulator.gpu.GpuPolicies;
import dev.berth.simulator.gpu.GpuTrace;
import dev.berth.workbench.console.Progress;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth gpu-load}: a GPU cluster under sustained load, with departures. */
@Command(
    name = "gpu-load",
    description =
        "Keep a GPU cluster under load: pods of a trace arrive, live their recorded life up to a"
            + " cap, and wait while nothing has room. Compares time-averaged allocation and waiting"
            + " pods.")
final class GpuLoad implements Callable<Integer> {

  @Mixin private GpuTraceOptions input = new GpuTraceOptions();

  @Mixin private GpuPolicyOptions choice = new GpuPolicyOptions();

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

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    GpuPolicies factory = choice.factory(GpuModel::withDepartures);
    PrintWriter console = spec.commandLine().getOut();
    for (GpuTrace trace : input.read()) {
      console.printf(
          Locale.ROOT,
          "%ntrace %s: load %.2f, lifetimes up to %.0f s, %.1f h, ties %s%n%n%s",
          trace.name(),
          load,
          maxLifetime,
          hours,
          choice.tiesName(),
          DepartureReport.table(run(trace, factory), choice.rival()));
      console.flush();
    }
    return 0;
  }

  private List<DepartureRun.Result> run(GpuTrace trace, GpuPolicies factory) {
    DepartureRun run =
        new DepartureRun(trace, new DepartureRun.Settings(load, maxLifetime, hours, 0.5));
    List<DepartureRun.Result> results = new ArrayList<>();
    long runs = (long) choice.policies().size() * choice.seeds().size();
    try (Progress progress = Progress.of("gpu-load " + trace.name(), runs)) {
      for (String policy : choice.policies()) {
        for (long seed : choice.seeds()) {
          results.add(run.run(factory.make(policy, trace, seed), choice.ties(), seed));
          progress.step();
        }
      }
    }
    return results;
  }
}
