package dev.berth.workbench.sweep;

import dev.berth.policy.text.StrictJson;
import dev.berth.policy.text.TextException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What one unit leaves behind, a small JSON file.
 *
 * @param grid fingerprint of the grid, so that results of two grids are never mixed
 * @param units how many units the whole grid has
 * @param metric the metric the grid is judged by; lower is better
 * @param settings the cell, option name to value
 * @param metrics metric name to its mean over the judging scenarios and seeds
 * @param seconds wall time of training and judging together
 */
public record UnitResult(
    String grid,
    int index,
    int units,
    String metric,
    Map<String, String> settings,
    long seed,
    Map<String, Double> metrics,
    double seconds) {

  /** Temporary file, sync, rename: a killed unit leaves no half-written result. */
  public void write(Path file) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".part");
    Files.write(part, StrictJson.readable(this));
    try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
  }

  public static UnitResult read(Path file) throws IOException {
    try {
      return StrictJson.read(Files.readAllBytes(file), UnitResult.class, file.toString());
    } catch (TextException e) {
      throw new SweepException(file + ": not a result of a unit (" + e.what() + "): delete it", e);
    }
  }

  /** All results below a sweep's folder, by index. */
  static List<UnitResult> readAll(Path folder) throws IOException {
    Path results = SweepFolder.results(folder);
    List<UnitResult> all = new ArrayList<>();
    if (Files.isDirectory(results)) {
      try (Stream<Path> files = Files.list(results)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
          all.add(read(file));
        }
      }
    }
    return all;
  }
}
