package dev.berth.simulator.experiment;

import dev.berth.simulator.statistics.Summary;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * What an operator feels of a policy, before any measure of the policies' own: hot nodes, slow
 * requests, throttled CPU, evicted and waiting pods, each beside the profile that a cluster has
 * without doing anything.
 */
final class OperatorTable {
  private static final String REFERENCE = "default-spread";

  /** A column: the figure, its unit's factor, and how it is written. */
  private record Column(Metric metric, String title, double factor, String format) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column(Metric.HOT_NODE_SHARE, "hot node time, %", 100, "%.2f"),
          new Column(Metric.P99_LATENCY_MILLIS, "p99 latency, ms", 1, "%.1f"),
          new Column(Metric.THROTTLED_CPU, "throttled CPU, %", 100, "%.3f"),
          new Column(Metric.EVICTIONS, "evictions a run", 1, "%.1f"),
          new Column(Metric.PODS_PENDING, "pods waiting", 1, "%.3f"));

  private final Results results;

  OperatorTable(Results results) {
    this.results = results;
  }

  /** Appends the table, best hot node time first. */
  void write(StringBuilder out) {
    out.append("## What operators feel\n\n")
        .append(
            String.format(
                Locale.ROOT,
                "Mean over scenarios and seeds%s. Hot: CPU demand above %.0f %% of the node."
                    + " Latency: M/M/1 queue at the node's CPU demand, every pod as many requests."
                    + " Throttled: share of the CPU wanted that nodes could not give. The cost is"
                    + " the policies' own objective, a diagnostic.%n%n",
                results.policies().contains(REFERENCE)
                    ? "; in brackets in how many scenarios it is clearly better / worse than "
                        + REFERENCE
                    : "",
                100 * RunMetrics.HOT));
    out.append("| policy |");
    COLUMNS.forEach(c -> out.append(' ').append(c.title()).append(" |"));
    out.append(" cost x 1000 |\n|---|").append("---|".repeat(COLUMNS.size() + 1)).append('\n');
    List<String> policies = new ArrayList<>(results.policies());
    policies.sort(Comparator.comparingDouble(p -> mean(p, Metric.HOT_NODE_SHARE)));
    for (String policy : policies) {
      out.append("| ").append(policy).append(" |");
      for (Column c : COLUMNS) {
        out.append(' ')
            .append(String.format(Locale.ROOT, c.format(), c.factor() * mean(policy, c.metric())))
            .append(standing(policy, c.metric()))
            .append(" |");
      }
      out.append(String.format(Locale.ROOT, " %.1f |%n", 1000 * mean(policy, Metric.COST)));
    }
    out.append('\n');
  }

  private double mean(String policy, Metric metric) {
    return results.scenarios().stream()
        .map(s -> results.values(s, policy, metric))
        .filter(v -> v.length > 0)
        .mapToDouble(v -> Summary.of(v).mean())
        .average()
        .orElse(Double.NaN);
  }

  private String standing(String policy, Metric metric) {
    if (policy.equals(REFERENCE)) {
      return "";
    }
    var s = new Comparison(results, metric).against(policy, REFERENCE, scenario -> true);
    return s.scenarios() == 0 ? "" : " (" + s.better() + " / " + s.worse() + ")";
  }
}
