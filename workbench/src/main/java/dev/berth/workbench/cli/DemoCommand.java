package dev.berth.workbench.cli;

import dev.berth.service.cli.OutputPlace;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.workload.WorkloadSpec;
import dev.berth.workbench.live.Demo;
import dev.berth.workbench.live.DemoRunner;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
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
      names = "--scenario",
      paramLabel = "S",
      defaultValue = "demo",
      description =
          "Scenario of kind deployments, by name or path: its workload, duration and warm-up are"
              + " played here. Default: ${DEFAULT-VALUE}.")
  private String scenario = "";

  @Option(
      names = "--out",
      paramLabel = "FOLDER",
      description = "Where summary.json and spread.png go. Default: out/demo.")
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
    Scenario played = ScenarioLibrary.one(scenario);
    if (played.workload().kind() != WorkloadSpec.Kind.DEPLOYMENTS) {
      throw new ParameterException(
          spec.commandLine(),
          "scenario " + played.name() + " is not of kind deployments: a cluster cannot play it");
    }
    Path folder = out == null ? root.resolve("out/demo") : out;
    OutputPlace.folder(folder);
    Demo.Options options =
        new Demo.Options(
            seed, played, root.resolve("manifests/nginx-deployment.yaml"), folder, keepLearned);
    return DemoRunner.run(cluster.local(), options, spec.commandLine().getOut());
  }
}
