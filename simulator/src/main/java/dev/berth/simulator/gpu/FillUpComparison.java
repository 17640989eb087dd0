package dev.berth.simulator.gpu;

import dev.berth.policy.gpu.PodClass;
import dev.berth.simulator.statistics.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A policy against its rival on one trace, seed by seed: the gain at the end, and what it must not
 * cost on the way. The end figure alone can be gamed by starving big pods.
 *
 * @param gain allocation at the end, points, mean over seeds
 * @param halfWidth of the 95 % confidence interval of the gain; NaN for one seed
 * @param at90 difference in allocation at 90 % of demand, points
 * @param at100 the same at 100 %
 * @param rivalFailures8 share of 8-GPU pods that the rival failed to place, 0..1
 * @param failures8 the policy's own share less the rival's
 */
public record FillUpComparison(
    String trace,
    String policy,
    double gain,
    double halfWidth,
    double at90,
    double at100,
    double rivalFailures8,
    double failures8) {
  /** Allocation on the way may not fall behind the rival's by more points. */
  static final double MAX_LAG_POINTS = 0.1;

  /** Nor may more of the 8-GPU pods fail. */
  static final double MAX_EXTRA_FAILURES = 0.02;

  /** Compares runs of one trace that belong together by index. */
  public static FillUpComparison of(List<FillUpResult> ours, List<FillUpResult> rivals) {
    if (ours.isEmpty() || ours.size() != rivals.size()) {
      throw new IllegalArgumentException(
          "runs must come in pairs, got %d and %d".formatted(ours.size(), rivals.size()));
    }
    Summary gain = difference(ours, rivals, FillUpResult::finalAllocationPct);
    return new FillUpComparison(
        ours.get(0).trace(),
        ours.get(0).policy(),
        gain.mean(),
        gain.halfWidth(),
        difference(ours, rivals, run -> run.allocationAt(90)).mean(),
        difference(ours, rivals, run -> run.allocationAt(100)).mean(),
        Summary.of(values(rivals, run -> run.failureRate(PodClass.EIGHT_GPU))).mean(),
        difference(ours, rivals, run -> run.failureRate(PodClass.EIGHT_GPU)).mean());
  }

  /** Every policy of mixed results against the rival, in the order of traces, then policies. */
  public static List<FillUpComparison> all(List<FillUpResult> results, String rival) {
    Map<List<String>, List<FillUpResult>> groups = new LinkedHashMap<>();
    for (FillUpResult run : results) {
      groups.computeIfAbsent(List.of(run.trace(), run.policy()), key -> new ArrayList<>()).add(run);
    }
    List<FillUpComparison> comparisons = new ArrayList<>();
    groups.forEach(
        (key, runs) -> {
          List<FillUpResult> rivals = groups.get(List.of(key.get(0), rival));
          if (rivals != null && rivals != runs) {
            comparisons.add(of(runs, rivals));
          }
        });
    return comparisons;
  }

  /** How far beyond the given limits, in points, summed; 0 if all are kept. */
  double missed(double maxLagPoints, double maxExtraFailures) {
    return Math.max(0, -maxLagPoints - at90)
        + Math.max(0, -maxLagPoints - at100)
        + 100 * Math.max(0, failures8 - maxExtraFailures);
  }

  /** In one line of a log. */
  String brief() {
    return "  %s %+.2f (at 90 %+.2f, at 100 %+.2f, 8-GPU failures %+.1f)"
        .formatted(trace, gain, at90, at100, 100 * failures8);
  }

  /** Whether every guardrail is kept. */
  public boolean keepsGuardrails() {
    return missed(MAX_LAG_POINTS, MAX_EXTRA_FAILURES) == 0;
  }

  /** Markdown, one row each. */
  public static String table(List<FillUpComparison> comparisons, String rival) {
    StringBuilder table =
        new StringBuilder(
            "| trace | policy | gain over %s, 95 %% CI | at 90 %% | at 100 %% | 8-GPU pods failed, %s / ours | guardrails |%n|---|---|---|---|---|---|---|%n"
                .formatted(rival, rival));
    for (FillUpComparison c : comparisons) {
      table.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %+.2f%s | %+.2f | %+.2f | %.1f / %.1f %% | %s |%n",
              c.trace,
              c.policy,
              c.gain,
              Double.isNaN(c.halfWidth) ? "" : String.format(Locale.ROOT, " ±%.2f", c.halfWidth),
              c.at90,
              c.at100,
              100 * c.rivalFailures8,
              100 * (c.rivalFailures8 + c.failures8),
              c.keepsGuardrails() ? "kept" : "MISSED"));
    }
    return table.toString();
  }

  private static Summary difference(
      List<FillUpResult> ours, List<FillUpResult> rivals, ToDoubleFunction<FillUpResult> measure) {
    return Summary.paired(values(ours, measure), values(rivals, measure));
  }

  private static double[] values(List<FillUpResult> runs, ToDoubleFunction<FillUpResult> measure) {
    return runs.stream().mapToDouble(measure).toArray();
  }
}
