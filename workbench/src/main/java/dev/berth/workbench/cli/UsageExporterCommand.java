package dev.berth.workbench.cli;

import dev.berth.simulator.history.HistoryFile;
import dev.berth.simulator.usage.History;
import dev.berth.simulator.usage.Recorded;
import dev.berth.simulator.usage.RequestRule;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.usage.UsageParameters;
import dev.berth.workbench.live.Kube;
import dev.berth.workbench.live.UsageExporter;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code berth usage-exporter}: node metrics for fake nodes, until a signal stops it. */
@Command(
    name = "usage-exporter",
    description =
        "Give KWOK's fake nodes the metrics of real ones, from the simulator's usage model.")
final class UsageExporterCommand implements Callable<Integer> {
  private static final double DAY_SECONDS = 86_400;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "Cluster to watch. Default: $KUBECONFIG or ~/.kube/config.")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--port",
      defaultValue = "18089",
      description = "Loopback port; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Seed of the hidden behaviour of owners. Default: ${DEFAULT-VALUE}.")
  private long seed;

  @Option(
      names = "--origin",
      paramLabel = "EPOCH-SECONDS",
      defaultValue = "0",
      description = "When the usage model's clock reads zero. Default: ${DEFAULT-VALUE} (1970).")
  private double origin;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description =
          "Play recorded usage (docs/real-load.md) instead of drawn: every owner is given a"
              + " recorded one, scaled to what its pods ask for. Default: none.")
  private @Nullable Path history;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description =
          "Keep here by what each pod's usage is drawn, so that a restart changes nothing."
              + " Default: nowhere.")
  private @Nullable Path keys;

  @Option(
      names = "--pods",
      description =
          "Tell what every pod uses, too, as cAdvisor does: container_cpu_usage_seconds_total and"
              + " container_memory_working_set_bytes. Default: nodes alone.")
  private boolean pods;

  /** A day of the history, or all of it when it is shorter; then the same again. */
  static UsageParameters parameters(@Nullable Path history) {
    if (history == null) {
      return UsageParameters.DEFAULT;
    }
    History recorded = HistoryFile.read(history);
    double span = Math.min(DAY_SECONDS, recorded.longestSeconds());
    return UsageParameters.DEFAULT.withRecorded(
        new Recorded(recorded, RequestRule.P90_OWNER, span));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("--port is " + port + ": want 0 to 65535");
    }
    CountDownLatch stopped = new CountDownLatch(1);
    KubernetesClient client = Kube.connect(kubeconfig);
    client.getKubernetesVersion(); // what watches would log a trace of a cluster that is not there
    UsageModel model = new UsageModel(seed, parameters(history));
    UsageExporter exporter =
        new UsageExporter(
            client, model, () -> System.currentTimeMillis() / 1000.0, origin, keys, pods, port);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  exporter.close();
                  client.close();
                  stopped.countDown();
                },
                "shutdown"));
    stopped.await();
    return 0;
  }
}
