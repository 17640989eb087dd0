package dev.berth.simulator.gpu;

import dev.berth.simulator.csv.CsvTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVPrinter;

/** One row per run and percent of arrived demand. */
public final class FillUpCsv {
  private static final List<String> COLUMNS =
      List.of(
          "trace",
          "policy",
          "seed",
          "arrived_pct",
          "allocation_pct",
          "fragmentation_pct",
          "failed_pods",
          "seconds");

  private FillUpCsv() {}

  /** Writes all curves. */
  public static void write(Path file, List<FillUpResult> results) {
    try (CSVPrinter out = CsvTable.write(file, COLUMNS)) {
      for (FillUpResult run : results) {
        for (int percent = 0; percent < run.allocationPct().length; percent++) {
          out.printRecord(
              run.trace(),
              run.policy(),
              run.seed(),
              percent,
              fixed(run.allocationPct()[percent]),
              fixed(run.fragmentationPct()[percent]),
              run.failedPods()[percent],
              fixed(run.seconds()[percent]));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }

  private static String fixed(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }
}
