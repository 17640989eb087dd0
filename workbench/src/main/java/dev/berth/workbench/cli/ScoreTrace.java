package dev.berth.workbench.cli;

import dev.berth.policy.gpu.Misfit;
import dev.berth.service.config.TokenFile;
import dev.berth.simulator.gpu.GpuTrace.NodeRow;
import dev.berth.simulator.gpu.GpuTrace.PodRow;
import dev.berth.simulator.gpu.TraceReader;
import dev.berth.workbench.bench.ScoreClient;
import dev.berth.workbench.bench.TraceScoring;
import dev.berth.workbench.bench.TraceScoring.Choice;
import dev.berth.workbench.bench.TraceScoring.Placement;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code berth score-trace}: pods of a GPU trace, scored by a running service. */
@Command(
    name = "score-trace",
    description = {
      "Score pods of a GPU trace on the nodes of a list through a running service.",
      "Every pod is placed on its best node and cards before the next one is asked about, so the"
          + " service sees a cluster that fills up. It learns from the requests which GPU pods"
          + " usually come (the learned value takes over from best fit at the 50th) and remembers"
          + " the nodes: ask a service of its own, not the one of a cluster."
    },
    footerHeading = "%nExample (after `berth serve`):%n",
    footer = {
      "  berth score-trace --nodes docs/examples/gpu-nodes.csv --pods docs/examples/gpu-pods.csv"
          + " \\",
      "      --count 60"
    })
final class ScoreTrace implements Callable<Integer> {
  private static final long MAX_NANOS = 60_000_000_000L;

  @Option(names = "--nodes", required = true, paramLabel = "FILE", description = "Node list, CSV.")
  private Path nodes = Path.of("");

  @Option(names = "--pods", required = true, paramLabel = "FILE", description = "Pod list, CSV.")
  private Path pods = Path.of("");

  @Option(
      names = "--pod",
      paramLabel = "NAME|INDEX",
      description = "Where in the list to start, the first is 0. Default: the first.")
  private String pod = "0";

  @Option(
      names = "--count",
      paramLabel = "N",
      defaultValue = "1",
      description = "Pods to score, one after another. Default: ${DEFAULT-VALUE}.")
  private int count;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "5",
      description = "Best nodes to print for the last pod. Default: ${DEFAULT-VALUE}.")
  private int top;

  @Option(
      names = "--service",
      paramLabel = "URL",
      defaultValue = "http://127.0.0.1:8766",
      description = "Default: ${DEFAULT-VALUE}.")
  private URI service = URI.create("");

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      defaultValue = "berth-state/token",
      description = "The service's bearer token. Default: ${DEFAULT-VALUE}.")
  private Path tokenFile = Path.of("");

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    if (count < 1 || top < 1) {
      throw new IllegalArgumentException("--count and --top must be 1 or more");
    }
    List<NodeRow> nodeRows = TraceReader.nodes(nodes);
    List<PodRow> podRows = TraceReader.pods(pods);
    int first = index(podRows);
    if (first + count > podRows.size()) {
      throw new IllegalArgumentException(
          "%s has %d pods: %d from number %d on are too many"
              .formatted(pods, podRows.size(), count, first));
    }
    TraceScoring scoring = new TraceScoring(new ScoreClient(service, token()), nodeRows);
    Histogram latency = new Histogram(MAX_NANOS, 3);
    Map<String, Integer> policies = new LinkedHashMap<>();
    Map<Misfit, List<String>> unplaced = new LinkedHashMap<>();
    @Nullable Placement last = null;
    IntSummaryStatistics candidates = new IntSummaryStatistics();
    for (PodRow row : podRows.subList(first, first + count)) {
      Placement p = scoring.place(row, top);
      if (p.misfit() == Misfit.NONE) {
        latency.recordValue(Math.min(MAX_NANOS, p.answer().nanos()));
        policies.merge(by(p.answer()), 1, Integer::sum);
        candidates.accept(p.candidates());
        last = p;
      } else {
        unplaced.computeIfAbsent(p.misfit(), m -> new ArrayList<>()).add(row.name());
      }
    }
    PrintWriter out = spec.commandLine().getOut();
    if (last != null) {
      best(out, last);
      out.printf(
          Locale.ROOT,
          "%d nodes; %d pods asked about, each with %d to %d candidates%n",
          nodeRows.size(),
          candidates.getCount(),
          candidates.getMin(),
          candidates.getMax());
      policies.forEach((policy, n) -> out.printf("  %5d scored by %s%n", n, policy));
      out.printf(
          Locale.ROOT,
          "latency p50 %.2f ms, p99 %.2f ms, max %.2f ms%n",
          latency.getValueAtPercentile(50) * 1e-6,
          latency.getValueAtPercentile(99) * 1e-6,
          latency.getMaxValue() * 1e-6);
    }
    unplaced.forEach(
        (why, names) ->
            out.printf(
                "  %5d not placed: %s; first %s%n", names.size(), why.label(), names.get(0)));
    out.flush();
    return 0;
  }

  private static String by(ScoreClient.Answer a) {
    return a.policy() + (a.reason().isEmpty() ? "" : ": " + a.reason());
  }

  private static void best(PrintWriter out, Placement p) {
    var shape = p.pod().shape();
    out.printf(
        "pod %s: %d m CPU, %d MiB, %s; scored by %s%n",
        p.pod().name(),
        shape.cpuMilli(),
        shape.memoryBytes() >> 20,
        shape.gpu().count() == 0
            ? "no GPU"
            : shape.gpu().count()
                + " x "
                + shape.gpu().milli()
                + " milli-GPU"
                + (shape.gpu().models().isEmpty()
                    ? ""
                    : " of " + String.join("|", shape.gpu().models())),
        by(p.answer()));
    out.printf(
        "%5s  %-20s %-10s %-10s %9s  %s%n",
        "SCORE", "NODE", "MODEL", "CARDS", "FREE CPU", "FREE MILLI BEFORE");
    for (Choice c : p.best()) {
      out.printf(
          "%5d  %-20s %-10s %-10s %8dm  %s%n",
          c.score(),
          c.node(),
          c.model(),
          c.cards().length == 0 ? "-" : Arrays.toString(c.cards()).replace(" ", ""),
          c.freeCpuMilli(),
          Arrays.toString(c.freeMilli()).replace(" ", ""));
    }
  }

  private int index(List<PodRow> rows) {
    for (int i = 0; i < rows.size(); i++) {
      if (rows.get(i).name().equals(pod)) {
        return i;
      }
    }
    if (pod.matches("\\d{1,9}") && Integer.parseInt(pod) < rows.size()) {
      return Integer.parseInt(pod);
    }
    throw new IllegalArgumentException(
        pods
            + " has no pod '"
            + pod
            + "': give a name, or a number from 0 to "
            + (rows.size() - 1));
  }

  private String token() throws IOException {
    if (!Files.isReadable(tokenFile)) {
      throw new IOException(
          "cannot read " + tokenFile + ": give --token-file the file 'token' in the state folder");
    }
    return TokenFile.read(tokenFile);
  }
}
