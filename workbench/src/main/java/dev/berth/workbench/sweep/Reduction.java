package dev.berth.workbench.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * A sweep's results put together: one row per cell, best first, mean over the seeds with its 95 %
 * confidence interval (Student's t over seeds).
 */
public final class Reduction {
  /** Two-sided 95 % quantiles of Student's t for 1..30 degrees of freedom; beyond that, normal. */
  private static final double[] T95 = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
    2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056,
    2.052, 2.048, 2.045, 2.042
  };

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
    int n = values.size();
    double mean = values.stream().mapToDouble(v -> v).sum() / n;
    double squares = values.stream().mapToDouble(v -> (v - mean) * (v - mean)).sum();
    double t = n - 1 <= T95.length ? T95[Math.max(0, n - 2)] : 1.960;
    double halfWidth = n < 2 ? Double.NaN : t * Math.sqrt(squares / (n - 1) / n);
    return new Row(settings, n, mean, halfWidth);
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
    List<String> lines = new ArrayList<>();
    lines.add("index," + String.join(",", names) + ",seed,seconds,metric,value");
    for (UnitResult result : results) {
      String unit =
          "%d,%s,%d,%.1f"
              .formatted(
                  result.index(),
                  String.join(",", names.stream().map(n -> result.settings().get(n)).toList()),
                  result.seed(),
                  result.seconds());
      result.metrics().forEach((metric, value) -> lines.add(unit + "," + metric + "," + value));
    }
    Files.write(file, lines);
  }
}
