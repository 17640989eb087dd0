package dev.berth.simulator.gpu;

import dev.berth.policy.gpu.Misfit;
import dev.berth.policy.gpu.PodClass;
import dev.berth.simulator.statistics.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * Markdown tables over all seeds of a trace: the curve at 90, 100 and the end, and who failed why.
 */
public final class FillUpReport {
  private final String rival;
  private final Map<String, List<FillUpResult>> byPolicy = new LinkedHashMap<>();

  /**
   * Groups results of one trace and tie rule.
   *
   * @param rival policy that the others are compared with, seed by seed
   */
  public FillUpReport(List<FillUpResult> results, String rival) {
    this.rival = rival;
    for (FillUpResult result : results) {
      byPolicy.computeIfAbsent(result.policy(), key -> new ArrayList<>()).add(result);
    }
  }

  /** GPU allocation, fragmentation and speed. */
  public String allocation() {
    StringBuilder table = new StringBuilder();
    table.append(
        "| policy | allocation %% (sd) | vs %s, 95 %% CI | at 90 %% | at 100 %% | fragmented at 90 %% | failed | s |%n"
            .formatted(rival));
    table.append("|---|---|---|---|---|---|---|---|\n");
    byPolicy.forEach(
        (policy, runs) -> {
          Summary last = summary(runs, FillUpResult::finalAllocationPct);
          table.append(
              String.format(
                  Locale.ROOT,
                  "| %s | %.2f (%.2f) | %s | %s | %s | %.1f | %.0f | %.2f |%n",
                  policy,
                  last.mean(),
                  last.standardDeviation(),
                  difference(policy, FillUpResult::finalAllocationPct),
                  at(runs, 90),
                  at(runs, 100),
                  summary(runs, run -> point(run.fragmentationPct(), 90)).mean(),
                  summary(runs, run -> run.failedPods()[run.failedPods().length - 1]).mean(),
                  summary(runs, FillUpResult::finalSeconds).mean()));
        });
    return table.toString();
  }

  /** Failure rates by class and what was missing. */
  public String failures() {
    StringBuilder table = new StringBuilder("| policy |");
    for (PodClass podClass : PodClass.values()) {
      table.append(" ").append(podClass.label()).append(" % |");
    }
    for (Misfit reason : Misfit.values()) {
      if (reason != Misfit.NONE) {
        table.append(" ").append(reason.label()).append(" |");
      }
    }
    table.append("\n|---|").append("---|".repeat(PodClass.values().length));
    table.append("---|".repeat(Misfit.values().length - 1)).append("\n");
    byPolicy.forEach(
        (policy, runs) -> {
          table.append("| ").append(policy).append(" |");
          for (PodClass podClass : PodClass.values()) {
            double rate = summary(runs, run -> 100 * run.failureRate(podClass)).mean();
            table.append(String.format(Locale.ROOT, " %.1f |", rate));
          }
          for (Misfit reason : Misfit.values()) {
            if (reason != Misfit.NONE) {
              double count =
                  summary(runs, run -> run.failedByReason().getOrDefault(reason, 0)).mean();
              table.append(String.format(Locale.ROOT, " %.0f |", count));
            }
          }
          table.append("\n");
        });
    return table.toString();
  }

  /** Mean difference to the rival with its confidence interval, seed by seed; empty for itself. */
  private String difference(String policy, ToDoubleFunction<FillUpResult> measure) {
    List<FillUpResult> rivals = byPolicy.get(rival);
    List<FillUpResult> runs = byPolicy.getOrDefault(policy, List.of());
    if (policy.equals(rival) || rivals == null || rivals.size() != runs.size()) {
      return "";
    }
    return Summary.paired(values(runs, measure), values(rivals, measure)).signed();
  }

  private static String at(List<FillUpResult> runs, int percent) {
    return runs.get(0).allocationPct().length <= percent
        ? ""
        : String.format(
            Locale.ROOT, "%.2f", summary(runs, run -> run.allocationPct()[percent]).mean());
  }

  private static double point(double[] curve, int percent) {
    return curve[Math.min(percent, curve.length - 1)];
  }

  private static Summary summary(List<FillUpResult> runs, ToDoubleFunction<FillUpResult> measure) {
    return Summary.of(values(runs, measure));
  }

  private static double[] values(List<FillUpResult> runs, ToDoubleFunction<FillUpResult> measure) {
    return runs.stream().mapToDouble(measure).toArray();
  }
}
