package dev.berth.workbench.importer;

import dev.berth.simulator.csv.CsvTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * GWA-T-12, virtual machines of the host Bitbrains: a file {@code N.csv} for every machine, columns
 * apart by semicolons, a row for every five minutes or so.
 *
 * <p>The source has no owners. Machines with as many cores and as much memory count as replicas of
 * one owner, as pods of a Deployment ask for the same. Rows are put on a grid of whole steps: the
 * mean of the rows in a step; a hole of up to half an hour is bridged by a line, a longer one ends
 * the piece. Source: gwa.ewi.tudelft.nl/datasets/gwa-t-12-bitbrains.
 */
final class Bitbrains implements UsageFormat {
  private static final String TIME = "Timestamp [ms]";
  private static final String CORES = "CPU cores";
  private static final String CPU = "CPU usage [%]";
  private static final String ROOM = "Memory capacity provisioned [KB]";
  private static final String MEMORY = "Memory usage [KB]";

  private static final double LONGEST_BRIDGE_SECONDS = 1800;
  private static final double LONGEST_HOLE_SECONDS = 366 * 86_400.0;
  private static final double MILLISECONDS = 1e11; // a time in seconds beyond it is year 5138
  private static final double KIB = 1024;

  private record Row(double at, double cores, double cpu, double room, double memory) {}

  @Override
  public String name() {
    return "bitbrains";
  }

  @Override
  public String layout() {
    return "N.csv with the columns of GWA-T-12";
  }

  @Override
  public boolean mine(SourceFile file) {
    return file.name().endsWith(".csv");
  }

  @Override
  public List<Piece> read(SourceFile file, Scale scale) {
    List<Row> rows = rows(file, scale.stepSeconds());
    double cores = rows.stream().mapToDouble(Row::cores).max().orElse(0);
    double room = rows.stream().mapToDouble(Row::room).max().orElse(0);
    String owner = String.format(Locale.ROOT, "%.0f-cores-%.0fGiB", cores, room * KIB / (1 << 30));
    String pod = file.name().replaceFirst("\\.csv$", "");
    return pieces(owner, pod, rows, scale.stepSeconds());
  }

  private static List<Row> rows(SourceFile file, double step) {
    List<String> lines = file.lines();
    if (lines.isEmpty()) {
      throw file.error(0, "the file is empty: copy it again");
    }
    List<String> header = CsvTable.fields(lines.get(0), ';');
    int[] at = new int[5];
    List<String> wanted = List.of(TIME, CORES, CPU, ROOM, MEMORY);
    for (int c = 0; c < at.length; c++) {
      at[c] = header.indexOf(wanted.get(c));
      if (at[c] < 0) {
        throw file.error(1, "no column '%s': is it of GWA-T-12?".formatted(wanted.get(c)));
      }
    }
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      List<String> fields = CsvTable.fields(lines.get(i), ';');
      if (fields.size() != header.size()) {
        throw file.error(
            i + 1,
            "%d fields, the header names %d: the file is cut short or damaged; copy it again"
                .formatted(fields.size(), header.size()));
      }
      double[] v = new double[at.length];
      for (int c = 0; c < at.length; c++) {
        v[c] = file.amount(fields.get(at[c]), i + 1, wanted.get(c));
      }
      double time = v[0] > MILLISECONDS ? v[0] / 1000 : v[0];
      if (!rows.isEmpty() && time < rows.get(rows.size() - 1).at()) {
        throw file.error(i + 1, "an earlier time than in the row before: sort the rows by time");
      }
      if (!rows.isEmpty() && time > rows.get(rows.size() - 1).at() + LONGEST_HOLE_SECONDS) {
        throw file.error(
            i + 1, "more than a year after the row before: is one of the two damaged?");
      }
      rows.add(new Row(time, v[1], v[2], v[3], v[4]));
    }
    usual(file, rows, step);
    return rows;
  }

  /** Refuses a file whose rows usually come at another step. */
  private static void usual(SourceFile file, List<Row> rows, double step) {
    if (rows.size() < 3) {
      throw file.error(rows.size() + 1, "cut short: only %d rows".formatted(rows.size()));
    }
    double[] gaps = new double[rows.size() - 1];
    Arrays.setAll(gaps, i -> rows.get(i + 1).at() - rows.get(i).at());
    Arrays.sort(gaps);
    double median = gaps[gaps.length / 2];
    if (median == 0) {
      throw file.error(2, "most rows have the time of the row before: copy the file again");
    }
    if (Math.abs(median - step) > 0.1 * step) {
      throw file.error(
          3,
          "rows come every %.0f s, not every %.0f: say --step %.0fs"
              .formatted(median, step, median));
    }
  }

  private static List<Piece> pieces(String owner, String pod, List<Row> rows, double step) {
    long first = Math.round(rows.get(0).at() / step);
    int steps = (int) (Math.round(rows.get(rows.size() - 1).at() / step) - first) + 1;
    float[] cores = new float[steps];
    float[] bytes = new float[steps];
    int[] count = new int[steps];
    for (Row row : rows) {
      int i = (int) (Math.round(row.at() / step) - first);
      cores[i] += (float) (row.cpu() / 100 * row.cores());
      bytes[i] += (float) (row.memory() * KIB);
      count[i]++;
    }
    for (int i = 0; i < steps; i++) {
      cores[i] /= Math.max(1, count[i]);
      bytes[i] /= Math.max(1, count[i]);
    }
    List<Piece> out = new ArrayList<>();
    int begin = 0;
    int filled = 0;
    int last = 0; // the newest step with a row
    for (int i = 1; i <= steps; i++) {
      if (i < steps && count[i] == 0) {
        continue;
      }
      if (i == steps || (i - last) * step > LONGEST_BRIDGE_SECONDS) {
        out.add(piece(owner, pod, (first + begin) * step, cores, bytes, begin, last + 1, filled));
        begin = i;
        filled = 0;
      } else {
        filled += i - last - 1;
        bridge(cores, last, i);
        bridge(bytes, last, i);
      }
      last = i;
    }
    return out;
  }

  private static void bridge(float[] values, int from, int to) {
    for (int i = from + 1; i < to; i++) {
      values[i] = values[from] + (values[to] - values[from]) * (i - from) / (to - from);
    }
  }

  private static Piece piece(
      String owner, String pod, double at, float[] cores, float[] bytes, int from, int to, int n) {
    return new Piece(
        owner,
        pod,
        at,
        Arrays.copyOfRange(cores, from, to),
        Arrays.copyOfRange(bytes, from, to),
        n);
  }
}
