package dev.berth.workbench.sweep;

import dev.berth.simulator.csv.CsvTable;
import dev.berth.simulator.statistics.Summary;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.commons.csv.CSVPrinter;

/**
 * A sweep's results put together: one row per cell, best first, mean over the seeds with its 95 %
 * confidence interval (Student's t over seeds).
 */
public final class Reduction {
  private final List<UnitResult> results;
  private final List<Row> rows;

  /**
   * @param mean of the judging metric over the seeds of the cell
   * @param halfWidth of the 95 % confidence interval; NaN with a single seed
   */
  public record Row(Map<String, String> settings, int seeds, double mean, double halfWidth) {}

  private Reduction(List<UnitResult> results) {
    this.results = results;
    Map<Map<String, String>, List<Double>> cells = new LinkedHashMap<>();
    for (UnitResult result : results) {
      Double value = result.metrics().get(metric());
      if (value == null) {
        throw new SweepException(
            "unit "
                + result.index()
                + " has no metric '"
                + metric()
                + "'; it has "
                + new TreeSet<>(result.metrics().keySet()));
      }
      cells.computeIfAbsent(result.settings(), key -> new ArrayList<>()).add(value);
    }
    this.rows =
        cells.entrySet().stream()
            .map(cell -> row(cell.getKey(), cell.getValue()))
            .sorted(Comparator.comparingDouble(Row::mean))
            .toList();
  }

  /** Reads a sweep's folder. */
  public static Reduction of(Path folder) throws IOException {
    List<UnitResult> results = UnitResult.readAll(folder);
    if (results.isEmpty()) {
      throw new SweepException(
          folder + ": no results here: give the folder that was --out of the sweep");
    }
    if (results.stream().map(UnitResult::grid).distinct().count() > 1) {
      throw new SweepException(
          folder + ": results of different grids: use one --out folder for each grid");
    }
    return new Reduction(results);
  }

  private static Row row(Map<String, String> settings, List<Double> values) {
    Summary cost = Summary.of(values.stream().mapToDouble(v -> v).toArray());
    return new Row(settings, cost.n(), cost.mean(), cost.halfWidth());
  }

  /** Best cell first; lower is better. */
  public List<Row> rows() {
    return rows;
  }

  /** Units of the grid that have no result yet. */
  public List<Integer> missing() {
    List<Integer> done = results.stream().map(UnitResult::index).toList();
    return IntStream.range(0, results.get(0).units())
        .boxed()
        .filter(i -> !done.contains(i))
        .toList();
  }

  private String metric() {
    return results.get(0).metric();
  }

  /** A Markdown table, which is also readable in a terminal. */
  public String markdown() {
    List<String> names = List.copyOf(rows.get(0).settings().keySet());
    StringBuilder out = new StringBuilder("|");
    names.forEach(name -> out.append(' ').append(name).append(" |"));
    out.append(" seeds | ").append(metric()).append(" | 95 % CI |\n|");
    out.append(" --- |".repeat(names.size())).append(" ---: | ---: | ---: |\n");
    for (Row row : rows) {
      out.append('|');
      names.forEach(name -> out.append(' ').append(row.settings().get(name)).append(" |"));
      String interval = Double.isNaN(row.halfWidth()) ? "one seed" : "± " + figure(row.halfWidth());
      out.append(" %d | %s | %s |%n".formatted(row.seeds(), figure(row.mean()), interval));
    }
    return out.toString();
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, "%.4g", value);
  }

  /** One line per unit and metric, the settings in columns of their own. */
  public void writeCsv(Path file) throws IOException {
    List<String> names = List.copyOf(results.get(0).settings().keySet());
    List<String> header = new ArrayList<>(names);
    header.add(0, "index");
    header.addAll(List.of("seed", "seconds", "metric", "value"));
    try (CSVPrinter out = CsvTable.write(file, header)) {
      for (UnitResult result : results) {
        for (Map.Entry<String, Double> metric : result.metrics().entrySet()) {
          out.print(result.index());
          for (String name : names) {
            out.print(result.settings().get(name));
          }
          out.print(result.seed());
          out.print(String.format(Locale.ROOT, "%.1f", result.seconds()));
          out.print(metric.getKey());
          out.print(metric.getValue());
          out.println();
        }
      }
    }
  }
}
