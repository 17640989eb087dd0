package dev.berth.simulator.gpu;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** One row per run and percent of arrived demand. */
public final class FillUpCsv {
  static final String HEADER =
      "trace,policy,seed,arrived_pct,allocation_pct,fragmentation_pct,failed_pods,seconds";

  private FillUpCsv() {}

  /** Writes all curves. */
  public static void write(Path file, List<FillUpResult> results) {
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
      out.println(HEADER);
      for (FillUpResult run : results) {
        for (int percent = 0; percent < run.allocationPct().length; percent++) {
          out.printf(
              Locale.ROOT,
              "%s,%s,%d,%d,%.4f,%.4f,%d,%.4f%n",
              run.trace(),
              run.policy(),
              run.seed(),
              percent,
              run.allocationPct()[percent],
              run.fragmentationPct()[percent],
              run.failedPods()[percent],
              run.seconds()[percent]);
        }
      }
      if (out.checkError()) {
        throw new IOException("writing failed: is the disk full?");
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot write " + file + ": " + e.getMessage(), e);
    }
  }
}
