package dev.berth.simulator.gpu;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Markdown table of runs with departures, means over seeds. */
public final class DepartureReport {

  private DepartureReport() {}

  /**
   * One row per policy.
   *
   * @param rival policy that the others are compared with, seed by seed
   */
  public static String table(List<DepartureRun.Result> results, String rival) {
    Map<String, List<DepartureRun.Result>> byPolicy = new LinkedHashMap<>();
    for (DepartureRun.Result result : results) {
      byPolicy.computeIfAbsent(result.policy(), key -> new ArrayList<>()).add(result);
    }
    List<DepartureRun.Result> rivals = byPolicy.getOrDefault(rival, List.of());
    StringBuilder table = new StringBuilder();
    table.append(
        "| policy | allocation %% | vs %s | waiting pods | vs %s | waiting GPUs | mean wait s | s |%n"
            .formatted(rival, rival));
    table.append("|---|---|---|---|---|---|---|---|\n");
    byPolicy.forEach(
        (policy, runs) ->
            table.append(
                String.format(
                    Locale.ROOT,
                    "| %s | %.2f | %s | %.0f | %s | %.0f | %.0f | %.1f |%n",
                    policy,
                    mean(runs, DepartureRun.Result::allocationPct),
                    difference(runs, rivals, DepartureRun.Result::allocationPct),
                    mean(runs, DepartureRun.Result::waitingPods),
                    difference(runs, rivals, DepartureRun.Result::waitingPods),
                    mean(runs, DepartureRun.Result::waitingGpus),
                    mean(runs, DepartureRun.Result::meanWaitSeconds),
                    mean(runs, DepartureRun.Result::seconds))));
    return table.toString();
  }

  private static double mean(
      List<DepartureRun.Result> runs, ToDoubleFunction<DepartureRun.Result> measure) {
    return Statistics.mean(runs.stream().mapToDouble(measure).toArray());
  }

  private static String difference(
      List<DepartureRun.Result> runs,
      List<DepartureRun.Result> rivals,
      ToDoubleFunction<DepartureRun.Result> measure) {
    if (runs == rivals || runs.size() != rivals.size()) {
      return "";
    }
    double[] differences = new double[runs.size()];
    for (int i = 0; i < differences.length; i++) {
      differences[i] = measure.applyAsDouble(runs.get(i)) - measure.applyAsDouble(rivals.get(i));
    }
    double half = Statistics.confidenceHalfWidth95(differences);
    String mean = String.format(Locale.ROOT, "%+.2f", Statistics.mean(differences));
    return Double.isNaN(half) ? mean : mean + String.format(Locale.ROOT, " ±%.2f", half);
  }
}
