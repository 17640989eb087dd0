package dev.berth.workbench.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.simulator.statistics.Summary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What several runs of the demo show together: a table for people and a summary for programs, both
 * made from nothing but the runs' own summaries, so that they can be made again at any time.
 */
public final class DemoEvidence {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private static final String SUMMARY = "summary.json";

  private final List<JsonNode> runs;

  private DemoEvidence(List<JsonNode> runs) {
    this.runs = runs;
  }

  /** Where the run of a seed writes. */
  public static Path folder(Path evidence, long seed) {
    return evidence.resolve("seed-" + seed);
  }

  /** Whether the run of a seed is done: its summary is what it writes last. */
  public static boolean done(Path evidence, long seed) {
    return Files.exists(folder(evidence, seed).resolve(SUMMARY));
  }

  /**
   * Reads all runs below a folder, by seed.
   *
   * @throws IOException when there is none, or naming the file that is no summary of a run
   */
  public static DemoEvidence read(Path evidence) throws IOException {
    List<JsonNode> runs = new ArrayList<>();
    if (Files.isDirectory(evidence)) {
      try (Stream<Path> folders = Files.list(evidence)) {
        for (Path file : folders.map(f -> f.resolve(SUMMARY)).filter(Files::exists).toList()) {
          JsonNode run = JSON.readTree(file.toFile());
          if (!run.path("change_pct").isNumber() || !run.path("seed").isNumber()) {
            throw new IOException(
                file + " is no summary of a run of this release: remove its folder and play again");
          }
          runs.add(run);
        }
      }
    }
    if (runs.isEmpty()) {
      throw new IOException("no run of the demo below " + evidence + ": make evidence-demo first");
    }
    runs.sort(Comparator.comparingLong(run -> run.path("seed").asLong()));
    return new DemoEvidence(List.copyOf(runs));
  }

  /** Runs. */
  public int size() {
    return runs.size();
  }

  private double[] values(ToDoubleFunction<JsonNode> of) {
    return runs.stream().mapToDouble(of).filter(Double::isFinite).toArray();
  }

  private static ToDoubleFunction<JsonNode> at(String pointer) {
    return run -> run.at(pointer).asDouble(Double.NaN);
  }

  private long lower() {
    return runs.stream().filter(run -> run.at("/change_pct").asDouble() < 0).count();
  }

  private int pending() {
    return runs.stream().mapToInt(run -> run.at("/pods_pending").asInt()).sum();
  }

  /** Of all placements with a choice in all runs. */
  private double placedByService() {
    double service = runs.stream().mapToDouble(at("/decided_by/service")).sum();
    return service / (service + runs.stream().mapToDouble(at("/decided_by/other_plugins")).sum());
  }

  /** Writes the summary; a mean that no run has a value for is null. */
  public void write(Path file) throws IOException {
    ObjectNode root = JSON.createObjectNode();
    root.put("runs", runs.size());
    root.put("lower", lower());
    put(root, "mean_change_pct", mean(at("/change_pct")));
    put(root, "live_over_simulated", mean(at("/live_over_simulated")));
    root.put("pods_pending", pending());
    put(root, "placed_by_service_share", placedByService());
    double[] change = values(at("/change_pct"));
    put(root, "mean_change_pct_half_width_95", Summary.of(change).halfWidth());
    put(root, "forecast_error_now_live", mean(at("/forecast_error_now/live")));
    put(root, "forecast_error_now_simulated", mean(at("/forecast_error_now/simulated")));
    put(root, "forecast_error_just_bound_live", mean(at("/forecast_error_now/live_just_bound")));
    put(
        root,
        "forecast_error_just_bound_simulated",
        mean(at("/forecast_error_now/simulated_just_bound")));
    Files.createDirectories(file.toAbsolutePath().getParent());
    Files.writeString(file, JSON.writeValueAsString(root) + "\n");
  }

  private double mean(ToDoubleFunction<JsonNode> of) {
    double[] values = values(of);
    return values.length == 0 ? Double.NaN : Summary.of(values).mean();
  }

  private static void put(ObjectNode node, String key, double value) {
    if (Double.isFinite(value)) {
      node.put(key, Math.round(value * 1e6) / 1e6);
    } else {
      node.putNull(key);
    }
  }

  /** A sentence and a table, one line a run, in Markdown. */
  public String markdown() {
    StringBuilder out = new StringBuilder();
    out.append(
        """
        # What `make demo` shows

        Written by `make evidence-demo RUNS=%d` from the runs' own summaries (`out/evidence-demo/seed-N/summary.json`); `bin/berth evidence-demo --report` writes it again.
        [local-cluster.md](local-cluster.md#the-main-job) says what a run is: one list of Deployments under the stock scheduler and under Berth, every pod with the same usage in both, on a cluster of
        two generations of nodes that Berth is not told of.

        **Lower in %d of %d runs; mean change %s.** Live over simulated under Berth: %s; pods pending: %d; placed by the service's scores: %.1f %%.

        | seed | stock | Berth | change | simulated: stock (lowest to highest of ten) | simulated: Berth | live / simulated | forecast error now: live | simulated | just after a bind: live | simulated | pods pending | placed by service | newer weights | machine's load: before, end |
        |---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
        """
            .formatted(
                runs.size(),
                lower(),
                runs.size(),
                interval(at("/change_pct"), 1, 0, " %"),
                interval(at("/live_over_simulated"), 1, 2, ""),
                pending(),
                100 * placedByService()));
    for (JsonNode run : runs) {
      cells(
          out,
          run.at("/seed").asText(),
          share(run, "/cpu_usage_std/stock"),
          share(run, "/cpu_usage_std/berth"),
          number(run.at("/change_pct").asDouble(), 0, " %"),
          simulated(run, "stock"),
          simulated(run, "berth"),
          number(at("/live_over_simulated").applyAsDouble(run), 2, ""),
          share(run, "/forecast_error_now/live"),
          share(run, "/forecast_error_now/simulated"),
          share(run, "/forecast_error_now/live_just_bound"),
          share(run, "/forecast_error_now/simulated_just_bound"),
          run.at("/pods_pending").asText(),
          number(100 * at("/placed_by_service_share").applyAsDouble(run), 1, " %"),
          run.at("/newer_weights/state").asText("unknown"),
          number(at("/machine_load/before").applyAsDouble(run), 1, "")
              + ", "
              + number(at("/machine_load/end").applyAsDouble(run), 1, ""));
    }
    cells(
        out,
        "mean ± 95 %",
        interval(at("/cpu_usage_std/stock"), 100, 2, " %"),
        interval(at("/cpu_usage_std/berth"), 100, 2, " %"),
        interval(at("/change_pct"), 1, 0, " %"),
        interval(at("/simulated_cpu_usage_std/stock"), 100, 2, " %"),
        interval(at("/simulated_cpu_usage_std/berth"), 100, 2, " %"),
        interval(at("/live_over_simulated"), 1, 2, ""),
        interval(at("/forecast_error_now/live"), 100, 2, " %"),
        interval(at("/forecast_error_now/simulated"), 100, 2, " %"),
        interval(at("/forecast_error_now/live_just_bound"), 100, 2, " %"),
        interval(at("/forecast_error_now/simulated_just_bound"), 100, 2, " %"),
        String.valueOf(pending()),
        number(100 * placedByService(), 1, " %"),
        "",
        "");
    out.append(
        """

        Spread: standard deviation over the ten worker nodes of measured CPU usage (rates over 20 s, of a node), mean over the last minute of a turn.
        Forecast error now: root mean square of expected less next measured usage, of a node; just after a bind: of forecasts made within 15 s of one. Load: processes that want one of the machine's processors.
        """);
    return out.toString();
  }

  private static String simulated(JsonNode run, String turn) {
    String std = "/simulated_cpu_usage_std/" + turn;
    return "%s (%s to %s)"
        .formatted(share(run, std), share(run, std + "_low"), share(run, std + "_high"));
  }

  private static void cells(StringBuilder out, String... cells) {
    out.append("| ").append(String.join(" | ", cells)).append(" |\n");
  }

  private String interval(ToDoubleFunction<JsonNode> of, double times, int digits, String unit) {
    double[] values = values(of);
    if (values.length == 0) {
      return "unknown";
    }
    Summary s = Summary.of(values);
    String mean = number(times * s.mean(), digits, "");
    return values.length == 1
        ? mean + unit
        : mean + " ± " + number(times * s.halfWidth(), digits, unit);
  }

  private static String share(JsonNode run, String pointer) {
    return number(100 * at(pointer).applyAsDouble(run), 2, " %");
  }

  private static String number(double value, int digits, String unit) {
    return Double.isNaN(value)
        ? "unknown"
        : String.format(Locale.ROOT, "%." + digits + "f%s", value, unit);
  }
}
