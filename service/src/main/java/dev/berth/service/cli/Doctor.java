package dev.berth.service.cli;

import dev.berth.service.doctor.ClusterCheck;
import dev.berth.service.doctor.FileCheck;
import dev.berth.service.doctor.Finding;
import dev.berth.service.operator.KubectlProgram;
import dev.berth.service.operator.Printable;
import java.io.PrintWriter;
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

/** {@code berth doctor}: what keeps Berth from working, and what mends it. */
@Command(
    name = "doctor",
    description = {
      "Say what keeps Berth from working, the cause first, each with the command that mends it.",
      "Without options it looks at the cluster of your kubectl, with your rights; with --config,"
          + " --scheduler-config or --service at these instead. It changes nothing. Exit 0: no"
          + " error was found.",
    })
public final class Doctor implements Callable<Integer> {

  @Option(
      names = {"-c", "--config"},
      paramLabel = "FILE",
      description =
          "A service's configuration: its values, token, volume, and whether Prometheus answers its"
              + " queries, all as they are on this machine.")
  private @Nullable Path config;

  @Option(
      names = "--scheduler-config",
      paramLabel = "FILE",
      description = "A KubeSchedulerConfiguration: where Berth is enabled, its weight, its url.")
  private @Nullable Path scheduler;

  @Option(
      names = {"--service", "--url"},
      paramLabel = "URL",
      description = "A running service's reading port, such as http://127.0.0.1:8765.")
  private @Nullable String service;

  @Mixin private final KubectlProgram kubectl = new KubectlProgram();

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    List<Finding> findings = new ArrayList<>();
    if (config != null) {
      findings.addAll(FileCheck.serviceConfig(config, System.getenv()));
    }
    if (scheduler != null) {
      findings.addAll(FileCheck.schedulerConfig(scheduler));
    }
    if (service != null) {
      findings.addAll(FileCheck.service(service));
    }
    if (config == null && scheduler == null && service == null) {
      findings.addAll(new ClusterCheck(kubectl).look());
    }
    print(findings);
    return findings.stream().anyMatch(f -> f.level() == Finding.Level.ERROR) ? 1 : 0;
  }

  private void print(List<Finding> findings) {
    PrintWriter out = spec.commandLine().getOut();
    if (findings.stream().allMatch(f -> f.level() == Finding.Level.NOTE)) {
      out.println("nothing is wrong that can be seen from here");
    }
    for (Finding f : findings) {
      out.printf(
          "%-7s  %s: %s%n         %s: %s%n",
          f.level(),
          f.about(),
          Printable.text(f.what()),
          f.level() == Finding.Level.NOTE ? "read" : "mend",
          f.mend());
    }
    out.flush();
  }
}
