package dev.berth.workbench.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.simulator.csv.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;
import org.apache.commons.csv.CSVPrinter;

/** Writes a run down. */
public final class SoakFiles {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> COLUMNS =
      List.of(
          "seconds",
          "candidates",
          "decisions",
          "errors",
          "load",
          "rss_mib",
          "peak_mib",
          "heap_mib",
          "heap_size_mib",
          "p50_ms",
          "p99_ms",
          "max_ms",
          "transitions",
          "steps",
          "restarts");

  private SoakFiles() {}

  /** One row per look; what was dropped in a column per queue and cause. */
  public static void csv(SoakResult run, Path file) throws IOException {
    TreeSet<String> queues = new TreeSet<>();
    run.samples().forEach(s -> queues.addAll(s.dropped().keySet()));
    List<String> header = new ArrayList<>(COLUMNS);
    queues.forEach(q -> header.add("dropped_" + q.replace('-', '_')));
    try (CSVPrinter out = CsvTable.write(file, header)) {
      for (Sample s : run.samples()) {
        List<Object> row = new ArrayList<>();
        row.add(figure(s.seconds()));
        row.add(run.plan().phases().get(s.phase()).candidates());
        row.add(s.decisions());
        row.add(s.errors());
        for (double value :
            new double[] {
              s.load(),
              s.rss(),
              s.peak(),
              s.heap(),
              s.heapSize(),
              s.p50(),
              s.p99(),
              s.max(),
              s.transitions(),
              s.steps(),
              s.restarts()
            }) {
          row.add(figure(value));
        }
        queues.forEach(q -> row.add(figure(s.dropped().getOrDefault(q, Double.NaN))));
        out.printRecord(row);
      }
    }
  }

  private static String figure(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.1f", value);
  }

  /** The phases and the verdict, for a program. */
  public static void json(SoakResult run, Path file) throws IOException {
    List<Map<String, Object>> phases = new ArrayList<>();
    for (int i = 0; i < run.phases().size(); i++) {
      SoakResult.PhaseResult p = run.phases().get(i);
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("candidates", p.phase().candidates());
      row.put("perSecond", p.phase().perSecond());
      row.put("seconds", p.phase().lasts().toSeconds());
      row.put("due", p.due());
      row.put("answered", p.answered());
      row.put("errors", p.errors());
      row.put("p50Millis", p.p50());
      row.put("p99Millis", p.p99());
      row.put("maxMillis", p.max());
      phases.add(row);
    }
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("phases", phases);
    all.put("limitMib", SoakPlan.LIMIT_MIB);
    all.put("peakMib", run.peak());
    all.put("gradientSteps", run.steps());
    all.put("failures", Verdict.failures(run));
    Files.createDirectories(file.toAbsolutePath().getParent());
    JSON.writerWithDefaultPrettyPrinter().writeValue(file.toFile(), all);
  }

  /** A Markdown table, which is also readable in a terminal, with what was before beside it. */
  public static String markdown(SoakResult run) {
    List<List<String>> columns = new ArrayList<>();
    for (int i = 0; i < run.phases().size(); i++) {
      columns.add(column(run, i));
    }
    List<String> names =
        List.of(
            "",
            "decisions due",
            "answered",
            "errors",
            "p50 ms",
            "p99 ms",
            "max ms",
            "resident MiB, most",
            "growth, 2nd half, MiB per 1000 decisions",
            "rewards measured",
            "gradient steps",
            "dropped or not learned from",
            "load average");
    List<String> before =
        List.of(
            "before, 5000",
            "",
            "about 540, then out of memory",
            "",
            "",
            "",
            "54000",
            "limit " + SoakPlan.LIMIT_MIB,
            "about 500 (heap)",
            "",
            "none after that",
            "",
            "");
    StringBuilder out = new StringBuilder();
    for (int row = 0; row < names.size(); row++) {
      out.append("| ").append(names.get(row)).append(" |");
      for (List<String> column : columns) {
        out.append(' ').append(column.get(row)).append(" |");
      }
      out.append(' ').append(before.get(row)).append(" |\n");
      if (row == 0) {
        out.append("|---|").append("---:|".repeat(columns.size() + 1)).append('\n');
      }
    }
    return out.toString();
  }

  private static List<String> column(SoakResult run, int phase) {
    SoakResult.PhaseResult p = run.phases().get(phase);
    List<Sample> samples = run.samples(phase);
    List<Sample> half = Verdict.settled(run, phase);
    return List.of(
        say("%d at %d/s", p.phase().candidates(), p.phase().perSecond()),
        String.valueOf(p.due()),
        String.valueOf(p.answered()),
        String.valueOf(p.errors()),
        say("%.1f", p.p50()),
        say("%.1f", p.p99()),
        say("%.0f", p.max()),
        most(samples, Sample::peak),
        say("%.2f", Verdict.perThousand(half)) + (Verdict.judged(half) ? "" : " (too short)"),
        most(samples, Sample::transitions),
        most(samples, Sample::steps),
        most(samples, s -> s.dropped().values().stream().mapToDouble(d -> d).sum()),
        say("%.0f", samples.stream().mapToDouble(Sample::load).average().orElse(Double.NaN)));
  }

  /** Of those that could be read. */
  private static String most(List<Sample> samples, ToDoubleFunction<Sample> value) {
    return say(
        "%.0f",
        samples.stream().mapToDouble(value).filter(v -> !Double.isNaN(v)).max().orElse(Double.NaN));
  }

  private static String say(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
