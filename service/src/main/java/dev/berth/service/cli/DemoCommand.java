package dev.berth.service.cli;

import dev.berth.service.live.Demo;
import dev.berth.service.live.DemoRunner;
import dev.berth.simulator.workload.DeploymentGenerator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code berth demo}: the main job on the local cluster; {@code make demo} builds, then runs it.
 */
@Command(
    name = "demo",
    description =
        "Run the same workload under the stock scheduler and under Berth on the local cluster, and"
            + " compare.")
final class DemoCommand implements Callable<Integer> {
  @Mixin private final ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed of the list of Deployments. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--cpu-load",
      paramLabel = "SHARE",
      defaultValue = "0.7",
      description = "Share of CPU requested at the end. Default: ${DEFAULT-VALUE}.")
  private double cpuLoad;

  @Option(
      names = "--sizes",
      defaultValue = "mixed",
      description = "standard or mixed, as in berth workload. Default: ${DEFAULT-VALUE}.")
  private DeploymentGenerator.Sizes sizes = DeploymentGenerator.Sizes.MIXED;

  @Option(
      names = "--pace",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "Time between two Deployments. Default: ${DEFAULT-VALUE}.")
  private double pace;

  @Option(
      names = "--breather",
      paramLabel = "SECONDS",
      defaultValue = "50",
      description =
          "Pause after three quarters of the Deployments, so that what is learned from them finds"
              + " pods left to place. Default: ${DEFAULT-VALUE}.")
  private int breather;

  @Option(
      names = "--tail",
      paramLabel = "SECONDS",
      defaultValue = "30",
      description = "Measure this long after the last Deployment. Default: ${DEFAULT-VALUE}.")
  private int tail;

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Where summary.json goes. Default: out/demo.")
  private @Nullable Path out;

  @Option(
      names = "--keep-learned",
      description = "Go on from what the service learned in earlier runs.")
  private boolean keepLearned;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    Path root = ClusterOptions.root();
    Demo.Options options =
        new Demo.Options(
            seed,
            cpuLoad,
            sizes,
            Duration.ofMillis(Math.round(1000 * pace)),
            Duration.ofSeconds(breather),
            Duration.ofSeconds(tail),
            root.resolve("manifests/nginx-deployment.yaml"),
            (out == null ? root.resolve("out/demo") : out).resolve("summary.json"),
            keepLearned);
    return DemoRunner.run(cluster.local(), options, spec.commandLine().getOut());
  }
}
