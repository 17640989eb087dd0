package dev.berth.workbench.cli;

import dev.berth.simulator.workload.DeploymentCsv;
import dev.berth.simulator.workload.DeploymentGenerator;
import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.workbench.console.Progress;
import dev.berth.workbench.live.Workload;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code berth workload}: plays Deployments on a real cluster until it is as full as asked. */
@Command(
    name = "workload",
    description = "Add Deployments of 5-15 replicas to a cluster until a load target is reached.")
final class WorkloadCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--cpu-load",
      paramLabel = "SHARE",
      defaultValue = "0.2",
      description = "Stop at this share of CPU requested, 0..1. Default: ${DEFAULT-VALUE}.")
  private double cpuLoad;

  @Option(
      names = "--mem-load",
      paramLabel = "SHARE",
      defaultValue = "0.2",
      description = "Stop at this share of memory requested. Default: ${DEFAULT-VALUE}.")
  private double memoryLoad;

  @Option(
      names = "--pod-load",
      paramLabel = "SHARE",
      defaultValue = "0.2",
      description = "Stop at this share of the pod limit. Default: ${DEFAULT-VALUE}.")
  private double podLoad;

  @Option(
      names = "--cluster-resets",
      paramLabel = "N",
      defaultValue = "0",
      description = "Empty the cluster and fill it again this often. Default: ${DEFAULT-VALUE}.")
  private int resets;

  @Option(
      names = "--sizes",
      defaultValue = "standard",
      description =
          "standard: every pod asks 1 CPU and 2 GiB; mixed: one size per Deployment. "
              + "Default: ${DEFAULT-VALUE}.")
  private DeploymentGenerator.Sizes sizes = DeploymentGenerator.Sizes.STANDARD;

  @Option(
      names = "--scheduler-name",
      defaultValue = "default-scheduler",
      description = "schedulerName of the pods. Default: ${DEFAULT-VALUE}.")
  private String scheduler = "";

  @Option(
      names = {"-n", "--namespace"},
      defaultValue = Workload.Options.NAMESPACE,
      description = "Where the Deployments go. Default: ${DEFAULT-VALUE}.")
  private String namespace = "";

  @Option(
      names = "--pace",
      paramLabel = "SECONDS",
      defaultValue = "0",
      description = "Least time between two Deployments. Default: ${DEFAULT-VALUE}.")
  private double pace;

  @Option(
      names = "--patience",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Give up when pods stay unbound this long. Default: ${DEFAULT-VALUE}.")
  private int patience;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed of the list of Deployments. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(names = "--save", paramLabel = "FILE", description = "Write the list as CSV.")
  private @Nullable Path save;

  @Option(
      names = "--replay",
      paramLabel = "FILE",
      description = "Play this CSV instead of drawing a list.")
  private @Nullable Path replay;

  @Option(names = "--dry-run", description = "Only draw (and save) the list.")
  private boolean dryRun;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!(pace >= 0)) {
      throw wrong("--pace is " + pace + ": want 0 or more seconds");
    }
    if (patience < 1) {
      throw wrong("--patience is " + patience + ": want 1 or more seconds");
    }
    if (resets < 0) {
      throw wrong("--cluster-resets is " + resets + ": want 0 or more");
    }
    var out = spec.commandLine().getOut();
    try (KubernetesClient client = cluster.connect()) {
      List<DeploymentPlan> plans = plans(client);
      if (save != null) {
        DeploymentCsv.write(save, plans);
      }
      int pods = plans.stream().mapToInt(DeploymentPlan::podCount).sum();
      out.println(plans.size() + " Deployments, " + pods + " pods, namespace " + namespace);
      out.flush();
      if (dryRun) {
        return 0;
      }
      return play(client, plans, pods);
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private List<DeploymentPlan> plans(KubernetesClient client) throws IOException {
    if (replay != null) {
      return DeploymentCsv.read(replay);
    }
    Workload.Room room = Workload.room(client);
    return DeploymentGenerator.generate(
        seed,
        new DeploymentGenerator.Options(
            room.cpuMilli(),
            room.memoryBytes(),
            room.pods(),
            cpuLoad,
            memoryLoad,
            podLoad,
            sizes,
            5,
            15,
            resets));
  }

  private int play(KubernetesClient client, List<DeploymentPlan> plans, int pods)
      throws InterruptedException {
    Workload.Options options =
        new Workload.Options(
            namespace,
            scheduler,
            Duration.ofMillis(Math.round(1000 * pace)),
            Duration.ofSeconds(patience));
    long begun = System.nanoTime();
    int bound;
    try (Progress bar = Progress.of("pods bound", pods)) {
      bound =
          new Workload(
                  client, options, (done, total, deployment) -> bar.doing(deployment).stepTo(done))
              .run(plans);
    }
    spec.commandLine()
        .getOut()
        .printf("%d pods bound in %.1f s%n", bound, (System.nanoTime() - begun) / 1e9);
    return 0;
  }
}
