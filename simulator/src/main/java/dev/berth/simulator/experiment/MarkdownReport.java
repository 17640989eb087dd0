package dev.berth.simulator.experiment;

import dev.berth.simulator.statistics.Summary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A leaderboard as Markdown: who is best, by how much, and where. */
public final class MarkdownReport {
  private static final String STOCK = "default";
  private static final String SPREAD = "default-spread";
  private static final String BEST_SHIPPED = "best shipped";
  private static final String BASE = "predict-then-greedy";
  private static final String ORACLE = "oracle-profile";

  private final Results results;
  private final Comparison cost;
  private final List<String> ranking;

  public MarkdownReport(Results results) {
    this.results = results;
    this.cost = new Comparison(results, Metric.COST);
    this.ranking = new ArrayList<>(results.policies());
    ranking.sort(Comparator.comparingDouble(this::meanCost));
  }

  /**
   * The whole report.
   *
   * @param command the command line that makes it
   */
  public String text(String command) {
    StringBuilder out = new StringBuilder("# Leaderboard\n\n");
    out.append("Made by `").append(command).append("`.\n\n");
    out.append(
        String.format(
            Locale.ROOT,
            "%d scenarios (%d of them never trained on), %d policies, seeds %s. Every policy of a"
                + " seed meets the same pods, lifetimes, usage and lost samples; a difference"
                + " counts as clear when its paired 95 %% interval excludes zero. Cost ="
                + " time-averaged standard deviation of true node CPU usage + 10 x mean overload."
                + " default = LeastAllocated + BalancedAllocation; default-spread adds the"
                + " PodTopologySpread system defaults: the real kube-scheduler's profile. Best"
                + " shipped = lowest mean of each scenario among %s. Gap closed = (default - x) /"
                + " (default - oracle-profile), mean over scenarios.%n%n",
            results.scenarios().size(),
            results.scenarios().stream().filter(Comparison.seen(results, false)).count(),
            results.policies().size(),
            results.seeds(),
            shipped().isEmpty() ? "none that was run" : String.join(", ", shipped())));
    out.append(inShort());
    if (results.scenarios().stream().anyMatch(Comparison.seen(results, true))) {
      overview(out, "## Cost, scenarios never seen in training", Comparison.seen(results, false));
    }
    scenarios(out, "## Cost x 1000, scenarios seen in training", Comparison.seen(results, true));
    scenarios(out, "## Cost x 1000, scenarios never seen", Comparison.seen(results, false));
    metrics(out);
    return out.toString();
  }

  /** The part that tells who is best, and by how much. */
  public String inShort() {
    StringBuilder out = new StringBuilder();
    new OperatorTable(results).write(out);
    overview(out, "## Cost, all scenarios", s -> true);
    return out.toString();
  }

  private void overview(StringBuilder out, String title, Predicate<String> which) {
    List<String> rivals =
        Stream.of(STOCK, SPREAD, BEST_SHIPPED, BASE).filter(this::canBeComparedWith).toList();
    if (rivals.isEmpty() || results.scenarios().stream().noneMatch(which)) {
      return;
    }
    out.append(title).append("\n\n");
    out.append("| policy");
    int columns = 1 + 2 * rivals.size();
    for (String rival : rivals) {
      out.append(" | against ").append(rival).append(" | clearly better / worse");
      if (rival.equals(BASE)) {
        out.append(" | worst scenario");
        columns++;
      }
    }
    boolean known = ranking.contains(ORACLE);
    if (known) {
      out.append(" | gap closed | regret to ").append(ORACLE);
      columns += 2;
    }
    out.append(" |\n").append("|---".repeat(columns)).append("|\n");
    for (String policy : ranking) {
      List<String> cells = new ArrayList<>();
      for (String rival : rivals) {
        Comparison.Standing standing =
            rival.equals(BEST_SHIPPED)
                ? cost.againstBestShipped(policy, which)
                : cost.against(policy, rival, which);
        cells.add(percent(standing.relative()));
        cells.add(count(standing));
        if (rival.equals(BASE)) {
          cells.add(percent(standing.worst()));
        }
      }
      if (known) {
        var gap = cost.gapClosed(policy, STOCK, ORACLE, which);
        cells.add(
            gap.isPresent() ? String.format(Locale.ROOT, "%.0f %%", 100 * gap.getAsDouble()) : "");
        cells.add(percent(cost.against(policy, ORACLE, which).relative()));
      }
      row(out, policy, cells.toArray(String[]::new));
    }
    out.append('\n');
  }

  private boolean canBeComparedWith(String rival) {
    return rival.equals(BEST_SHIPPED)
        ? shipped().size() > 1 // a single one is no best of several
        : ranking.contains(rival);
  }

  /** Shipped heuristics that were run. */
  private List<String> shipped() {
    return Comparison.SHIPPED.stream().filter(ranking::contains).toList();
  }

  private void scenarios(StringBuilder out, String title, Predicate<String> which) {
    List<String> names = results.scenarios().stream().filter(which).toList();
    if (names.isEmpty()) {
      return;
    }
    out.append(title).append("\n\nMean ± 95 % CI over the seeds");
    out.append(canBeComparedWith(BEST_SHIPPED) ? "; the best shipped one in bold.\n\n" : ".\n\n");
    out.append("| scenario | ").append(String.join(" | ", ranking)).append(" |\n|---|");
    out.append("---|".repeat(ranking.size())).append('\n');
    for (String scenario : names) {
      String best = cost.bestShipped(scenario);
      List<String> cells = new ArrayList<>();
      for (String policy : ranking) {
        String cell = cost.summary(scenario, policy).map(MarkdownReport::interval).orElse("");
        cells.add(policy.equals(best) ? "**" + cell + "**" : cell);
      }
      row(out, scenario, cells.toArray(String[]::new));
    }
    out.append('\n');
  }

  private void metrics(StringBuilder out) {
    out.append("## Every metric, mean over all scenarios and seeds\n\n| policy |");
    for (Metric m : Metric.values()) {
      out.append(' ').append(m.key()).append(" |");
    }
    out.append("\n|---|").append("---|".repeat(Metric.values().length)).append('\n');
    for (String policy : ranking) {
      List<String> cells = new ArrayList<>();
      for (Metric m : Metric.values()) {
        double mean =
            results.scenarios().stream()
                .map(s -> measured(results.values(s, policy, m)))
                .filter(v -> v.length > 0)
                .mapToDouble(v -> Summary.of(v).mean())
                .average()
                .orElse(Double.NaN);
        cells.add(Double.isNaN(mean) ? "" : String.format(Locale.ROOT, "%.4g", mean));
      }
      row(out, policy, cells.toArray(String[]::new));
    }
  }

  /** What a scenario does not have is left out, as racks. */
  private static double[] measured(double[] values) {
    return Arrays.stream(values).filter(v -> !Double.isNaN(v)).toArray();
  }

  private double meanCost(String policy) {
    double relative = cost.against(policy, STOCK, s -> true).relative();
    if (!Double.isNaN(relative)) {
      return relative;
    }
    return results.scenarios().stream()
        .flatMap(s -> cost.summary(s, policy).stream())
        .mapToDouble(Summary::mean)
        .average()
        .orElse(Double.MAX_VALUE);
  }

  private static void row(StringBuilder out, String first, String... cells) {
    out.append("| ").append(first).append(" | ").append(String.join(" | ", cells)).append(" |\n");
  }

  private static String interval(Summary s) {
    return Double.isNaN(s.halfWidth())
        ? String.format(Locale.ROOT, "%.1f", 1000 * s.mean())
        : String.format(Locale.ROOT, "%.1f±%.1f", 1000 * s.mean(), 1000 * s.halfWidth());
  }

  private static String count(Comparison.Standing s) {
    return s.scenarios() == 0 ? "" : s.better() + " / " + s.worse() + " of " + s.scenarios();
  }

  private static String percent(double share) {
    return Double.isNaN(share) || Double.isInfinite(share)
        ? ""
        : String.format(Locale.ROOT, "%+.1f %%", 100 * share);
  }
}
