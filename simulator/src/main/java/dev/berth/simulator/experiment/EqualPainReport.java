package dev.berth.simulator.experiment;

import dev.berth.simulator.experiment.EqualPain.Found;
import dev.berth.simulator.statistics.Summary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@link EqualPain} found, as CSV and as Markdown. */
public final class EqualPainReport {
  private final String reference;
  private final List<String> policies;
  private final List<Long> seeds;
  private final Map<Key, List<Found>> found = new LinkedHashMap<>();

  private record Key(Dial dial, Metric pain, String policy) {}

  /** Searches for every policy, seed, dial and kind of pain. */
  public EqualPainReport(
      EqualPain search, String reference, List<String> policies, List<Long> seeds) {
    this.reference = reference;
    this.policies = List.copyOf(policies);
    this.seeds = List.copyOf(seeds);
    for (Dial dial : Dial.values()) {
      for (Metric pain : EqualPain.PAINS) {
        for (String policy : policies) {
          List<Found> each = new ArrayList<>();
          seeds.forEach(seed -> each.add(search.find(dial, pain, policy, seed)));
          found.put(new Key(dial, pain, policy), each);
        }
      }
    }
  }

  /** One line per dial, kind of pain, policy and seed. */
  public String csv() {
    StringBuilder out =
        new StringBuilder(
            "dial,pain,policy,seed,pain_of_reference,reference,policy_value,at_end\n");
    found.forEach(
        (key, each) -> {
          for (int i = 0; i < each.size(); i++) {
            Found f = each.get(i);
            out.append(
                String.format(
                    Locale.ROOT,
                    "%s,%s,%s,%d,%.6g,%.6g,%.6g,%b%n",
                    key.dial().name().toLowerCase(Locale.ROOT),
                    key.pain().key(),
                    key.policy(),
                    seeds.get(i),
                    f.pain(),
                    f.before(),
                    f.after(),
                    f.atEnd()));
          }
        });
    return out.toString();
  }

  /**
   * The tables.
   *
   * @param command the command line that makes them
   */
  public String text(String command, List<String> scenarios) {
    StringBuilder out = new StringBuilder("# Load carried and nodes needed at equal pain\n\n");
    out.append("Made by `").append(command).append("`.\n\n");
    out.append(
        String.format(
            Locale.ROOT,
            "Each policy's nodes are made smaller (load) or fewer (nodes), under the same pods,"
                + " until the mean pain over the scenarios is what %s suffers on them as they are;"
                + " by bisection for every seed of %s, mean difference ± paired 95 %% interval, in"
                + " bold where it is clear of zero. A policy that leaves more than 1 %% of the load"
                + " waiting hurts too much, whatever else. Load: requested CPU of running pods /"
                + " allocatable CPU. A > or < says that in some seeds the search ended at its"
                + " bound. Scenarios: %s.%n%n",
            reference,
            seeds,
            String.join(", ", scenarios)));
    table(out, Dial.LOAD, "## Load carried, points more than " + reference);
    table(out, Dial.NODES, "## Nodes needed, per hundred of " + reference);
    return out.toString();
  }

  private void table(StringBuilder out, Dial dial, String title) {
    out.append(title).append("\n\n| at equal |");
    policies.forEach(p -> out.append(' ').append(p).append(" |"));
    out.append("\n|---|").append("---|".repeat(policies.size())).append('\n');
    for (Metric pain : EqualPain.PAINS) {
      out.append("| ").append(pain.key().replace('_', ' ')).append(" |");
      for (String policy : policies) {
        List<Found> each = found.getOrDefault(new Key(dial, pain, policy), List.of());
        out.append(' ').append(cell(dial, each)).append(" |");
      }
      out.append('\n');
    }
    out.append('\n');
  }

  private static String cell(Dial dial, List<Found> each) {
    if (each.stream().anyMatch(f -> Double.isNaN(f.after()))) {
      return "no such pain";
    }
    double[] before = each.stream().mapToDouble(f -> 100 * f.before()).toArray();
    double[] after = each.stream().mapToDouble(f -> 100 * f.after()).toArray();
    Summary difference = Summary.paired(after, before);
    boolean clear = difference.clearlyBelowZero() || difference.clearlyAboveZero();
    double shown = dial == Dial.NODES ? 100 + difference.mean() : difference.mean();
    String text =
        String.format(
            Locale.ROOT,
            dial == Dial.NODES ? "%s%.1f ± %.1f" : "%s%+.1f ± %.1f",
            bound(each),
            shown,
            difference.halfWidth());
    return clear ? "**" + text + "**" : text;
  }

  private static String bound(List<Found> each) {
    boolean more = each.stream().anyMatch(f -> f.atEnd() && f.after() > f.before());
    boolean less = each.stream().anyMatch(f -> f.atEnd() && f.after() <= f.before());
    return (more ? "> " : "") + (less ? "< " : "");
  }
}
