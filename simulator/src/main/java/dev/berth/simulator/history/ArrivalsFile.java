package dev.berth.simulator.history;

import dev.berth.policy.text.TextException;
import dev.berth.policy.text.Units;
import dev.berth.simulator.csv.CsvTable;
import dev.berth.simulator.workload.Arrivals;
import dev.berth.simulator.workload.Arrivals.Batch;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Recorded arrivals as CSV, plain or gzip: a row for every batch of alike pods, in time order.
 *
 * <pre>
 * at,owner,cpu,memory,lives
 * 0,shop,0.5,1024,3600 7200 inf
 * </pre>
 */
public final class ArrivalsFile {
  private static final List<String> COLUMNS = List.of("at", "owner", "cpu", "memory", "lives");
  private static final double MIB = 1 << 20;

  private ArrivalsFile() {}

  /**
   * Reads a file.
   *
   * @throws TextException naming file, line and fix
   */
  public static Arrivals read(Path file) {
    double[] last = {Double.NEGATIVE_INFINITY};
    List<Batch> batches =
        CsvTable.read(
            file,
            COLUMNS,
            row -> {
              Batch batch = batch(row);
              if (batch.at() < last[0]) {
                throw row.error("at is before the row above: sort the rows by time");
              }
              last[0] = batch.at();
              return batch;
            });
    if (batches.isEmpty()) {
      throw new TextException(file.toString(), 1, "", "no arrivals below the header", null);
    }
    return new Arrivals(file.toString(), batches);
  }

  private static Batch batch(CsvTable row) {
    String[] parts = row.required("lives").split("\\s+");
    float[] lives = new float[parts.length];
    for (int i = 0; i < parts.length; i++) {
      try {
        lives[i] =
            parts[i].equals("inf")
                ? Float.POSITIVE_INFINITY
                : Float.parseFloat(Units.decimal(parts[i]));
      } catch (NumberFormatException e) {
        throw row.error(
            "lives: '%s', expected seconds or inf for a pod that outlived the record"
                .formatted(parts[i]));
      }
    }
    row.required("at");
    return new Batch(
        row.number("at", 0),
        row.required("owner"),
        Math.round(1000 * row.number("cpu", 0)),
        Math.round(MIB * row.number("memory", 0)),
        lives);
  }

  /** Writes arrivals, compressed when the name ends in {@code .gz}; a file appears when whole. */
  public static void write(Path file, Arrivals arrivals) {
    CsvTable.writeWhole(
        file,
        COLUMNS,
        csv -> {
          for (Batch b : arrivals.batches()) {
            StringJoiner lives = new StringJoiner(" ");
            for (float life : b.lives()) {
              lives.add(
                  Float.isInfinite(life) ? "inf" : String.valueOf(Math.max(1, Math.round(life))));
            }
            csv.printRecord(
                Math.round(b.at()),
                b.owner(),
                String.format(Locale.ROOT, "%.3f", b.cpuMilli() / 1000.0),
                Math.round(b.memoryBytes() / MIB),
                lives);
          }
        });
  }
}
