package dev.berth.service.regret;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A report as a page of text; the last line says what to do. */
public final class ReportText {
  private static final String ROW = "%-36s %8s  %-16s %-27s %s";

  /** A gap at the beginning that is no chance. */
  private static final Duration LATER = Duration.ofHours(1);

  private ReportText() {}

  public static List<String> lines(Report r) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "Berth, %s to %s (%.1f days)"
            .formatted(
                r.since().substring(0, 16),
                r.until().substring(0, 16),
                Duration.between(Instant.parse(r.since()), Instant.parse(r.until())).toHours()
                    / 24.0));
    String oldest = r.oldest();
    if (oldest != null && Instant.parse(oldest).isAfter(Instant.parse(r.since()).plus(LATER))) {
      lines.add("the oldest pod that is kept is of " + oldest.substring(0, 16));
    }
    lines.add("");
    if (r.others().pods() > 0) {
      lines.addAll(said("pods placed by the other plugins", r.others()));
    }
    if (r.berth().pods() > 0) {
      lines.addAll(said("pods placed with Berth's scores", r.berth()));
    }
    if (!r.days().isEmpty()) {
      lines.add("");
      lines.add(heads("DAY (UTC)"));
      r.days().forEach(day -> lines.add(row(day)));
      lines.add("");
      lines.add(heads("OWNER"));
      r.owners().forEach(owner -> lines.add(row(owner)));
      if (r.moreOwners() > 0) {
        lines.add("... and %d owners with fewer pods".formatted(r.moreOwners()));
      }
      lines.add("");
      lines.add(
          "Cost: thousandths by which a pod makes usage more uneven, or its node fuller than its capacity;"
              + " more than Berth's node would have.");
      lines.add(
          "95 % intervals: pods of one owner and of one hour depend on each other. Each pod is"
              + " judged alone, the others where they are.");
      lines.add("");
    }
    lines.add(
        "recommendation: %s, because %s".formatted(r.advice().action(), r.advice().because()));
    return lines;
  }

  private static List<String> said(String who, Figures f) {
    List<String> lines = new ArrayList<>();
    lines.add(
        f.noOpinion() == 0
            ? "%s: %d".formatted(who, f.pods())
            : "%s: %d; on %d of them Berth had no opinion".formatted(who, f.pods(), f.noOpinion()));
    Mean agreement = f.agreement();
    if (agreement != null) {
      lines.add("  went to a node Berth scored best  " + interval(agreement.times(100), "%.0f %%"));
    }
    lines.add("  cost more, by the forecast         " + cost(f.forecast()));
    lines.add("  cost more, measured 5 min later    " + cost(f.measured()));
    Mean gap = f.gap();
    if (gap != null) {
      lines.add(
          "  their nodes were fuller by         "
              + interval(gap.times(100), "%+.1f")
              + " points of CPU than Berth's");
    }
    return lines;
  }

  private static String heads(String first) {
    return ROW.formatted(first, "PODS", "AGREED, %", "COST MORE, FORECAST", "MEASURED");
  }

  private static String row(Report.Line line) {
    Figures f = line.figures();
    Mean agreement = f.agreement();
    return ROW.formatted(
        shortened(line.name()),
        f.pods(),
        agreement == null ? "-" : interval(agreement.times(100), "%.0f"),
        cost(f.forecast()),
        cost(f.measured()));
  }

  /** The end of a long name tells more than its beginning. */
  private static String shortened(String name) {
    return name.length() <= 36 ? name : "…" + name.substring(name.length() - 35);
  }

  private static String cost(@Nullable Mean m) {
    return m == null ? "-" : interval(m.times(1000), "%+.2f");
  }

  /** Such as "5.1 (4.0 to 6.2)"; without the interval where too little is known of it. */
  static String interval(Mean m, String format) {
    String mean = String.format(Locale.ROOT, format, m.mean());
    List<Double> ends = m.interval();
    return ends == null
        ? mean + " (unsure)"
        : "%s (%s to %s)"
            .formatted(
                mean,
                String.format(Locale.ROOT, format, ends.get(0)),
                String.format(Locale.ROOT, format, ends.get(1)));
  }
}
