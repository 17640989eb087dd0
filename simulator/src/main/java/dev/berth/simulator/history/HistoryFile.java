package dev.berth.simulator.history;

import dev.berth.policy.text.TextException;
import dev.berth.policy.text.Units;
import dev.berth.simulator.csv.CsvTable;
import dev.berth.simulator.usage.History;
import dev.berth.simulator.usage.Series;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * A history as CSV, plain or gzip: a row for every stretch of a pod without a gap. The columns
 * {@code cpu} (cores) and {@code memory} (MiB, may be empty) hold as many numbers as {@code steps}
 * says, with blanks between them; docs/real-load.md has the whole format.
 *
 * <pre>
 * owner,pod,from,step,steps,cpu,memory
 * shop,shop-1,1299110400,300,4,0.11 0.12 0.3 0.12,200 201 230 231
 * </pre>
 */
public final class HistoryFile {
  static final List<String> COLUMNS =
      List.of("owner", "pod", "from", "step", "steps", "cpu", "memory");

  private static final List<String> REQUIRED = COLUMNS.subList(0, 6);
  private static final long MAX_SECONDS = 100_000_000_000L;
  private static final long MAX_STEPS = 10_000_000;
  private static final float MIB = 1 << 20;
  private static final double CPU_STEPS = 10_000; // of a core, as four decimals have it

  private HistoryFile() {}

  /**
   * Reads a file.
   *
   * @throws TextException naming file, line and fix
   */
  public static History read(Path file) {
    History.Builder builder = new History.Builder();
    CsvTable.read(file, REQUIRED, row -> builder.add(series(row)));
    if (builder.size() == 0) {
      throw new TextException(file.toString(), 1, "", "no series below the header", null);
    }
    return builder.build(file.toString());
  }

  private static Series series(CsvTable row) {
    int steps = (int) row.whole("steps", 0, MAX_STEPS);
    return new Series(
        row.required("owner"),
        row.required("pod"),
        row.whole("from", 0, MAX_SECONDS),
        row.whole("step", 300, 86_400),
        numbers(row, "cpu", steps, 1),
        row.text("memory").isEmpty() ? new float[0] : numbers(row, "memory", steps, MIB));
  }

  private static float[] numbers(CsvTable row, String column, int steps, float unit) {
    String[] parts = row.required(column).split("\\s+");
    if (parts.length != steps) {
      throw row.error(
          "%s holds %d values, steps says %d: the row is cut short or changed; copy or import it again"
              .formatted(column, parts.length, steps));
    }
    float[] out = new float[steps];
    for (int i = 0; i < steps; i++) {
      try {
        out[i] = Float.parseFloat(Units.decimal(parts[i])) * unit;
      } catch (NumberFormatException e) {
        throw row.error(
            "%s: value %d is '%s', expected a number; end the row before a gap and begin another behind it"
                .formatted(column, i + 1, parts[i]));
      }
    }
    return out;
  }

  /** Writes a history, compressed when the name ends in {@code .gz}; a file appears when whole. */
  public static void write(Path file, History history) {
    CsvTable.writeWhole(
        file,
        COLUMNS,
        csv -> {
          for (Series s : history.series()) {
            csv.printRecord(
                s.owner(),
                s.pod(),
                Math.round(s.from()),
                Math.round(s.stepSeconds()),
                s.cores().length,
                text(s.cores(), 1, "%.4f"),
                text(s.bytes(), MIB, "%.1f"));
          }
        });
  }

  /** Whether CPU as it is written, to a ten-thousandth of a core, never moves. */
  public static boolean neverMoves(float[] cores) {
    float[] written = new float[cores.length];
    for (int i = 0; i < cores.length; i++) {
      written[i] = (float) (Math.round((double) cores[i] * CPU_STEPS) / CPU_STEPS);
    }
    return Series.constant(written);
  }

  private static String text(float[] values, float unit, String format) {
    StringJoiner out = new StringJoiner(" ");
    for (float value : values) {
      out.add(String.format(Locale.ROOT, format, value / unit).replaceFirst("\\.?0+$", ""));
    }
    return out.toString();
  }
}
