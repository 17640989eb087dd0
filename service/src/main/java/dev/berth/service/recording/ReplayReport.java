package dev.berth.service.recording;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.predict.PredictThenGreedy;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says in tables what a replay shows; beside it another recording's figures, if there is one. */
public final class ReplayReport {
  private final Recording recording;
  private final @Nullable Recording against;

  /**
   * @param against another recording whose figures stand beside, such as the simulated twin
   */
  public ReplayReport(Recording recording, @Nullable Recording against) {
    this.recording = known(recording);
    this.against = against == null ? null : known(against);
  }

  /** Where nobody added the truth, the samples are the next best thing, each at its middle. */
  private static Recording known(Recording r) {
    if (!r.truth().isEmpty()) {
      return r;
    }
    Truth truth = new Truth();
    for (Entry e : r.events()) {
      if (e.samples() != null) {
        for (NodeSample s : e.samples().samples()) {
          if (!Double.isNaN(s.cpuCores())) {
            double middle = (s.windowStart() + s.windowEnd()) / 2;
            truth.add(new Entry.Truth(middle, Map.of(s.node(), s.cpuCores())));
          }
        }
      }
    }
    return new Recording(r.start(), r.events(), truth, r.startedAt(), r.lost());
  }

  /** Prints everything; returns the run as it was recorded. */
  public void print(PrintWriter out, boolean truthGiven) {
    ReplayRun run = ReplayRun.of(recording, Variant.AS_RECORDED);
    head(out, run, truthGiven);
    out.println();
    now(out, run);
    out.println();
    ahead(out, run);
    out.println();
    variants(out, "where the error now comes from: each row mends one thing more", Variant.mends());
    out.println();
    variants(out, "as recorded but for one thing", Variant.alternatives());
    out.flush();
  }

  private void head(PrintWriter out, ReplayRun run, boolean truthGiven) {
    print(
        out,
        "%d decisions in %.0f s on %d nodes, policy %s, %s",
        run.decisions.size(),
        ReplayRun.PHASES * run.phaseSeconds,
        recording.truth().nodes().size(),
        recording.start().policy(),
        recording.start().berth());
    print(
        out,
        "base scores as recorded, bit for bit: %d of %d%s",
        run.same(),
        run.asked(),
        recording.lost() == 0
            ? ""
            : "; " + recording.lost() + " entries were lost while recording");
    if (!truthGiven) {
      print(out, "no truth in this recording: what is called true are the samples themselves");
    }
  }

  private void now(PrintWriter out, ReplayRun run) {
    print(out, "forecast now against the truth, fractions of a node");
    print(out, "%-24s %13s %8s %8s %12s", "", "truth's std", "error", "bias", "correlation");
    for (int i = 0; i < ReplayRun.PHASES; i++) {
      String name =
          String.format(
              Locale.ROOT, "%.0f to %.0f s", i * run.phaseSeconds, (i + 1) * run.phaseSeconds);
      row(out, name, run.byPhase[i]);
    }
    double from = 0;
    for (int i = 0; i < ReplayRun.SINCE_BIND.length; i++) {
      double to = ReplayRun.SINCE_BIND[i];
      String name =
          Double.isInfinite(to)
              ? String.format(Locale.ROOT, "over %.0f s after a bind", from)
              : String.format(Locale.ROOT, "%.0f to %.0f s after a bind", from, to);
      row(out, name, run.bySinceBind[i]);
      from = to;
    }
    row(out, "all", run.all);
  }

  private static void row(PrintWriter out, String name, NowErrors e) {
    if (e.instants() > 0) {
      print(
          out,
          "%-24s %13.4f %8.4f %+8.4f %+12.2f",
          name,
          e.truthStd(),
          e.rmse(),
          e.bias(),
          e.correlation());
    }
  }

  private static void ahead(PrintWriter out, ReplayRun run) {
    print(out, "forecasts of decisions, by how far ahead they look; pods just bound count in full");
    print(out, "%-24s %13s %8s %8s %12s", "", "truth's std", "error", "bias", "correlation");
    for (double horizon : PredictThenGreedy.HORIZONS) {
      NowErrors e = run.byHorizon.get(horizon);
      String name = horizon == 0 ? "now" : Math.round(horizon / 60) + " min";
      if (e == null || e.instants() == 0) {
        print(out, "%-24s %13s", name, "not recorded");
      } else {
        row(out, name, e);
      }
    }
  }

  private void variants(PrintWriter out, String title, List<Variant> variants) {
    print(out, "%s", title);
    print(out, "%-40s %8s %8s%s", "", "error", "bias", against == null ? "" : "    against");
    for (Variant v : variants) {
      NowErrors e = ReplayRun.of(recording, v).all;
      String other =
          against == null
              ? ""
              : String.format(Locale.ROOT, " %10.4f", ReplayRun.of(against, v).all.rmse());
      print(out, "%-40s %8.4f %+8.4f%s", v.name(), e.rmse(), e.bias(), other);
    }
  }

  /** One line per decision and horizon, as CSV with a header. */
  public List<String> decisions() {
    List<String> lines = new ArrayList<>();
    lines.add("second,pod,owner,node,horizon_seconds,expected,truth,error,rmse_over_nodes");
    for (ReplayRun.DecisionErrors d : ReplayRun.of(recording, Variant.AS_RECORDED).decisions) {
      for (int h = 0; h < d.rmse().length; h++) {
        lines.add(
            String.format(
                Locale.ROOT,
                "%.3f,%s,%s,%s,%.0f,%.5f,%.5f,%.5f,%.5f",
                d.second(),
                d.pod(),
                d.owner(),
                d.node() == null ? "" : d.node(),
                PredictThenGreedy.HORIZONS[h],
                d.expected()[h],
                d.truth()[h],
                d.expected()[h] - d.truth()[h],
                d.rmse()[h]));
      }
    }
    return lines;
  }

  private static void print(PrintWriter out, String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
  }
}
