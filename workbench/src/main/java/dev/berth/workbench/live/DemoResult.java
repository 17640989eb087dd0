package dev.berth.workbench.live;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.service.store.Experience;
import dev.berth.workbench.charts.TimeChart;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Everything that the demo measured.
 *
 * @param placedByService share of Berth's placements with more than one feasible node that the
 *     service's scores decided; NaN when there was none
 * @param decidedBy Berth's placements by who decided: service, fallback, single
 * @param trainSteps NaN when the service does not train
 * @param latencyP50 milliseconds that the plugin waited for scores
 */
record DemoResult(
    Turn stock,
    Turn berth,
    double placedByService,
    DecidedBy decidedBy,
    Experience experience,
    double trainSteps,
    double latencyP50,
    double latencyP99,
    double seconds) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Berth's placements: by the service's scores, by the other plugins, with a single choice. */
  record DecidedBy(int service, int fallback, int single) {}

  /** Least share of placements that the service's scores must have decided. */
  static final double ENOUGH = 0.99;

  /** What went wrong, one sentence each; empty when the demo shows what it is to show. */
  List<String> failures() {
    List<String> wrong = new ArrayList<>();
    int pending = stock.podsPending() + berth.podsPending();
    if (pending > 0) {
      wrong.add(pending + " pods stayed pending");
    }
    if (!(placedByService >= ENOUGH)) {
      wrong.add(
          String.format(
              Locale.ROOT,
              "only %.1f %% of the placements came from the service's scores, not %.0f %%",
              100 * placedByService,
              100 * ENOUGH));
    }
    if (experience.transitions() == 0) {
      wrong.add("no transition has a measured reward");
    }
    if (experience.servedByNewModel() == 0) {
      wrong.add("no newer model version served");
    }
    return wrong;
  }

  /** Writes the summary; a value that could not be measured is null. */
  void write(Path file) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("pods_bound", stock.podsBound() + berth.podsBound());
    root.put("pods_pending", stock.podsPending() + berth.podsPending());
    put(root, "placed_by_service_share", placedByService);
    root.put("transitions", experience.transitions());
    if (Double.isNaN(trainSteps)) {
      root.putNull("train_steps");
    } else {
      root.put("train_steps", (long) trainSteps);
    }
    ArrayNode versions = root.putArray("model_versions");
    experience.modelVersions().forEach(versions::add);
    root.put("served_by_new_model", experience.servedByNewModel());
    ObjectNode usage = root.putObject("cpu_usage_std");
    put(usage, "stock", stock.cpuUsage().std());
    put(usage, "berth", berth.cpuUsage().std());
    ObjectNode requests = root.putObject("cpu_request_std");
    put(requests, "stock", stock.cpuRequestStd());
    put(requests, "berth", berth.cpuRequestStd());
    ObjectNode latency = root.putObject("score_latency_ms");
    put(latency, "p50", latencyP50);
    put(latency, "p99", latencyP99);
    put(root, "seconds", seconds);
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, JSON.writeValueAsString(root) + "\n");
  }

  private static void put(ObjectNode node, String key, double value) {
    if (Double.isNaN(value)) {
      node.putNull(key);
    } else {
      node.put(key, Math.round(value * 1e6) / 1e6);
    }
  }

  /** Berth's spread against the stock scheduler's, in one sentence. */
  String verdict() {
    double change = berth.cpuUsage().std() / stock.cpuUsage().std() - 1;
    return String.format(
        Locale.ROOT,
        "Under Berth the nodes' CPU usage is spread %.0f %% %s than under the stock scheduler.",
        100 * Math.abs(change),
        change <= 0 ? "less" : "more");
  }

  /** The two curves of the spread over the turns. */
  void draw(Path png) throws IOException {
    TimeChart.draw(
        png,
        "Spread of measured CPU usage over the nodes",
        "seconds since the turn began",
        "standard deviation, % of a node",
        Map.of("stock scheduler", percent(stock.curve()), "Berth", percent(berth.curve())),
        Turn.STEP_SECONDS);
  }

  private static double[] percent(double[] shares) {
    return Arrays.stream(shares).map(s -> 100 * s).toArray();
  }

  /** The table for people. */
  String table() {
    StringBuilder out = new StringBuilder();
    out.append(String.format("%-44s %12s %12s%n", "", "stock", "berth"));
    row(out, "pods bound", stock.podsBound(), berth.podsBound());
    row(out, "pods pending", stock.podsPending(), berth.podsPending());
    share(out, "CPU used, std over nodes", stock.cpuUsage().std(), berth.cpuUsage().std());
    share(out, "the same over the whole turn", stock.wholeTurnStd(), berth.wholeTurnStd());
    share(out, "CPU used, highest node", stock.cpuUsage().max(), berth.cpuUsage().max());
    share(out, "CPU used, mean", stock.cpuUsage().mean(), berth.cpuUsage().mean());
    share(out, "node time above 80 %", stock.cpuUsage().hotShare(), berth.cpuUsage().hotShare());
    share(out, "CPU requested, std over nodes", stock.cpuRequestStd(), berth.cpuRequestStd());
    out.append('\n').append(verdict()).append("\n\n");
    line(
        out,
        "decided by",
        String.format(
            "service %d, other plugins %d, only one node fits %d",
            decidedBy.service(), decidedBy.fallback(), decidedBy.single()));
    line(
        out,
        "wait for scores",
        String.format(Locale.ROOT, "p50 %.1f ms, p99 %.1f ms", latencyP50, latencyP99));
    line(out, "transitions with a measured reward", String.valueOf(experience.transitions()));
    line(
        out,
        "training steps",
        Double.isNaN(trainSteps) ? "none" : String.valueOf((long) trainSteps));
    line(
        out,
        "reward, mean of each fifth",
        experience.rewardTrend().stream()
            .map(r -> String.format(Locale.ROOT, "%+.4f", r))
            .collect(Collectors.joining("  ")));
    line(
        out,
        "model versions that served",
        experience.modelVersions()
            + ", "
            + experience.servedByNewModel()
            + " pods by a newer one than the first");
    line(out, "time", String.format(Locale.ROOT, "%.0f s", seconds));
    return out.toString();
  }

  private static void row(StringBuilder out, String name, int stock, int berth) {
    out.append(String.format("%-44s %12d %12d%n", name, stock, berth));
  }

  private static void share(StringBuilder out, String name, double stock, double berth) {
    out.append(
        String.format(Locale.ROOT, "%-44s %10.2f %% %10.2f %%%n", name, 100 * stock, 100 * berth));
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append(String.format("%-44s %s%n", name, value));
  }
}
