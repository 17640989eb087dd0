package dev.berth.simulator.gpu;

import dev.berth.simulator.statistics.Summary;
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
    return Summary.of(values(runs, measure)).mean();
  }

  private static String difference(
      List<DepartureRun.Result> runs,
      List<DepartureRun.Result> rivals,
      ToDoubleFunction<DepartureRun.Result> measure) {
    if (runs == rivals || runs.size() != rivals.size()) {
      return "";
    }
    return Summary.paired(values(runs, measure), values(rivals, measure)).signed();
  }

  private static double[] values(
      List<DepartureRun.Result> runs, ToDoubleFunction<DepartureRun.Result> measure) {
    return runs.stream().mapToDouble(measure).toArray();
  }
}
