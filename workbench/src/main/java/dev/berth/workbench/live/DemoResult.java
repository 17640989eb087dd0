package dev.berth.workbench.live;

import com.fasterxml.jackson.databind.JsonNode;
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

/**
 * Everything that the demo measured.
 *
 * @param seed of the list and of what its pods use
 * @param simulated the same list on the virtual clock
 * @param decidedBy Berth's placements by who decided: service, fallback, single
 * @param status what the service said of itself at the end of Berth's turn
 * @param trainSteps NaN when the service does not train
 * @param latencyP50 milliseconds that the plugin waited for scores
 */
record DemoResult(
    long seed,
    Turn stock,
    Turn berth,
    Twins simulated,
    DecidedBy decidedBy,
    Experience experience,
    ServiceStatus status,
    double trainSteps,
    double latencyP50,
    double latencyP99,
    Load load,
    double seconds) {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /** Berth's placements: by the service's scores, by the other plugins, with a single choice. */
  record DecidedBy(int service, int fallback, int single) {
    /** Share of the placements with a choice that the service decided; NaN when there was none. */
    double share() {
      return (double) service / (service + fallback);
    }
  }

  /** Both turns on the virtual clock. */
  record Twins(Twin.Result stock, Twin.Result berth) {}

  /** Processes of the machine that wanted a processor, before the demo and at its end. */
  record Load(double before, double end) {
    /** Whether it was so at the end that answers may come late for want of a processor. */
    boolean crowded() {
      return end > CROWDED * processors();
    }

    private String said() {
      return String.format(
          Locale.ROOT,
          ": %.0f processes wanted one of %d processors, so answers may have come after the scheduler's"
              + " deadline; run it again when the machine is quieter",
          end,
          processors());
    }

    private static int processors() {
      return Runtime.getRuntime().availableProcessors();
    }
  }

  /** Processes a processor from which on a demo's misses are laid to the machine. */
  private static final int CROWDED = 4;

  /** Least share of placements that the service's scores must have decided. */
  static final double ENOUGH = 0.99;

  /** What went wrong, one sentence each; empty when the demo shows what it is to show. */
  List<String> failures() {
    List<String> wrong = new ArrayList<>();
    int pending = stock.podsPending() + berth.podsPending();
    if (pending > 0) {
      wrong.add(pending + " pods stayed pending");
    }
    if (stock.podsBound() != berth.podsBound()) {
      wrong.add(
          "the stock scheduler bound %d pods and Berth %d of the same list: somebody else worked on the cluster"
              .formatted(stock.podsBound(), berth.podsBound()));
    }
    if (!(decidedBy.share() >= ENOUGH)) {
      wrong.add(
          String.format(
              Locale.ROOT,
              "only %.1f %% of the placements came from the service's scores, not %.0f %%%s",
              100 * decidedBy.share(),
              100 * ENOUGH,
              load.crowded() ? load.said() : ""));
    }
    if (experience.transitions() == 0) {
      wrong.add("no transition has a measured reward");
    }
    return wrong;
  }

  /** Writes the summary; a value that could not be measured is null. */
  void write(Path file) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("pods_bound", stock.podsBound() + berth.podsBound());
    root.put("pods_pending", stock.podsPending() + berth.podsPending());
    put(root, "placed_by_service_share", decidedBy.share());
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
    root.put("seed", seed);
    put(root, "change_pct", 100 * change());
    ObjectNode twins = root.putObject("simulated_cpu_usage_std");
    put(twins, "stock", simulated.stock().std());
    put(twins, "stock_low", simulated.stock().low());
    put(twins, "stock_high", simulated.stock().high());
    put(twins, "berth", simulated.berth().std());
    put(twins, "berth_low", simulated.berth().low());
    put(twins, "berth_high", simulated.berth().high());
    put(root, "live_over_simulated", berth.cpuUsage().std() / simulated.berth().std());
    ObjectNode error = root.putObject("forecast_error_now");
    put(error, "live", status.forecastErrorNow());
    put(error, "simulated", simulated.berth().forecastErrorNow());
    put(error, "live_just_bound", status.forecastErrorJustBound());
    put(error, "simulated_just_bound", simulated.berth().forecastErrorJustBound());
    ObjectNode decided = root.putObject("decided_by");
    decided.put("service", decidedBy.service());
    decided.put("other_plugins", decidedBy.fallback());
    decided.put("single_node", decidedBy.single());
    root.set("newer_weights", given(status.json().path("promotion")));
    root.set("serving_weights", given(status.json().path("watch")));
    ObjectNode machine = root.putObject("machine_load");
    put(machine, "before", load.before());
    put(machine, "end", load.end());
    ObjectNode late = root.putObject("seconds_late");
    late.put("stock", stock.late());
    late.put("berth", berth.late());
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, JSON.writeValueAsString(root) + "\n");
  }

  private static JsonNode given(JsonNode node) {
    return node.isMissingNode() ? JSON.nullNode() : node;
  }

  private static void put(ObjectNode node, String key, double value) {
    if (Double.isNaN(value)) {
      node.putNull(key);
    } else {
      node.put(key, Math.round(value * 1e6) / 1e6);
    }
  }

  private double change() {
    return berth.cpuUsage().std() / stock.cpuUsage().std() - 1;
  }

  /** Berth's spread against the stock scheduler's, in one sentence. */
  String verdict() {
    return String.format(
        Locale.ROOT,
        "Under Berth the nodes' CPU usage is spread %.0f %% %s than under the stock scheduler.",
        100 * Math.abs(change()),
        change() <= 0 ? "less" : "more");
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
    return DemoTable.of(this);
  }
}
