package dev.berth.workbench.cli;

import dev.berth.simulator.gpu.GpuTrace.NodeRow;
import dev.berth.simulator.gpu.GpuTrace.PodRow;
import dev.berth.simulator.gpu.TraceReader;
import dev.berth.workbench.console.Progress;
import dev.berth.workbench.live.GpuRun;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code berth gpu-cluster}: pods of a GPU trace on fake GPU nodes of a real control plane. */
@Command(
    name = "gpu-cluster",
    description = {
      "Place pods of a GPU trace on fake GPU nodes of a real cluster.",
      "Creates nodes and pods, waits, and checks the cards from the API server's own objects.",
      "Fails when a card has more than 1000 milli, or a bound GPU pod names no cards."
    },
    footer = {
      "",
      "Example (after `make up` and `.build/bin/berth-cluster restart-scheduler --with berth`):",
      "  berth gpu-cluster --nodes openb_node_list_gpu_node.csv.gz \\",
      "      --pods openb_pod_list_default.csv.gz"
    })
final class GpuCluster implements Callable<Integer> {
  private static final long PATIENCE_MILLIS = 180_000;

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(names = "--nodes", required = true, paramLabel = "FILE", description = "Node list, CSV.")
  private Path nodes = Path.of("");

  @Option(names = "--pods", required = true, paramLabel = "FILE", description = "Pod list, CSV.")
  private Path pods = Path.of("");

  @Option(
      names = "--take-nodes",
      paramLabel = "N",
      defaultValue = "100",
      description = "GPU nodes, evenly from the list. Default: ${DEFAULT-VALUE}.")
  private int takeNodes;

  @Option(
      names = "--take-pods",
      paramLabel = "N",
      defaultValue = "500",
      description = "Pods, evenly from the list. Default: ${DEFAULT-VALUE}.")
  private int takePods;

  @Option(
      names = "--namespace",
      defaultValue = "default",
      description = "Default: ${DEFAULT-VALUE}.")
  private String namespace = "default";

  @Option(names = "--keep", description = "Leave nodes and pods in place afterwards.")
  private boolean keep;

  @Override
  public Integer call() throws Exception {
    List<NodeRow> nodeRows =
        evenly(TraceReader.nodes(nodes).stream().filter(n -> n.cards() > 0).toList(), takeNodes);
    List<PodRow> podRows = evenly(TraceReader.pods(pods), takePods);
    try (KubernetesClient kube = cluster.connect()) {
      GpuRun run = new GpuRun(kube, namespace);
      run.clean();
      boolean all;
      try (Progress bar = Progress.of("gpu", nodeRows.size() + 2L * podRows.size())) {
        for (NodeRow row : nodeRows) {
          run.addNode(row);
          bar.doing("nodes").step();
        }
        for (PodRow row : podRows) {
          run.addPod(row);
          bar.doing("pods").step();
        }
        long created = nodeRows.size() + podRows.size();
        all =
            run.await(
                podRows.size(), PATIENCE_MILLIS, n -> bar.doing("placing").stepTo(created + n));
      }
      GpuRun.Result result = run.read();
      report(result, nodeRows.size(), podRows.size());
      if (!keep) {
        run.clean();
      }
      boolean good = all && result.overfullCards() == 0 && result.withoutCards() == 0;
      if (!good) {
        System.err.println(
            all
                ? "FAILED: cards are overfull or not named, see above"
                : "FAILED: some pods were neither placed nor refused within three minutes");
      }
      return good ? 0 : 1;
    }
  }

  private static void report(GpuRun.Result r, int nodes, int pods) {
    System.out.printf("%d GPU nodes, %d pods%n", nodes, pods);
    System.out.printf("  bound                       %d%n", r.bound());
    System.out.printf("  GPU allocated               %.1f %%%n", r.allocationPercent());
    System.out.printf("  fullest card                %d milli%n", r.fullestCard());
    System.out.printf("  cards above 1000 milli      %d%n", r.overfullCards());
    System.out.printf("  GPU pods without cards      %d%n", r.withoutCards());
    r.pending().forEach((why, count) -> System.out.printf("  waiting %5d: %s%n", count, why));
  }

  /** A share of a list, evenly spaced: a prefix would be one kind of node. */
  private static <T> List<T> evenly(List<T> rows, int count) {
    if (count < 1 || count > rows.size()) {
      throw new IllegalArgumentException(
          "cannot take " + count + " of " + rows.size() + " rows: choose 1 to " + rows.size());
    }
    List<T> taken = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      taken.add(rows.get((int) ((long) i * rows.size() / count)));
    }
    return taken;
  }
}
