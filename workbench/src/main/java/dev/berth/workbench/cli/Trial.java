package dev.berth.workbench.cli;

import dev.berth.policy.file.NearestName;
import dev.berth.simulator.csv.CsvTable;
import dev.berth.simulator.experiment.Metric;
import dev.berth.workbench.sweep.Grid;
import dev.berth.workbench.sweep.SweepException;
import dev.berth.workbench.sweep.SweepFolder;
import dev.berth.workbench.sweep.Unit;
import dev.berth.workbench.sweep.UnitResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * The unit of work of a sweep: {@code berth train} with the cell's options and the unit's seed,
 * then {@code berth leaderboard} over the judging scenarios. Through the command line, so that a
 * unit can be repeated by hand and every option of train can stand in a grid.
 */
final class Trial {
  private final Grid grid;

  Trial(Grid grid) {
    this.grid = grid;
  }

  /**
   * Refuses options that train does not have, values it cannot read, and a metric that nothing
   * measures, before anything runs.
   */
  void check(Path gridFile) {
    String metric = grid.evaluate().metric();
    List<String> known = Stream.of(Metric.values()).map(Metric::key).toList();
    if (!known.contains(metric)) {
      throw new SweepException(
          gridFile
              + ": metric: unknown metric '"
              + metric
              + "'"
              + NearestName.suggestion(metric, known)
              + "; there are: "
              + String.join(", ", known));
    }
    for (Unit unit : grid.units()) {
      try {
        Workbench.commandLine().parseArgs(train(unit, Path.of("unused")));
      } catch (CommandLine.ParameterException e) {
        throw new SweepException(
            gridFile
                + ": unit "
                + unit.index()
                + " ("
                + unit.cell()
                + "): "
                + e.getMessage()
                + "; 'berth train --help' lists the options",
            e);
      }
    }
  }

  /** Whether the unit's result is there already; a result of another grid is an error. */
  boolean isDone(Unit unit, Path folder) throws IOException {
    Path file = SweepFolder.result(folder, unit);
    if (!Files.exists(file)) {
      return false;
    }
    if (!UnitResult.read(file).grid().equals(grid.fingerprint())) {
      throw new SweepException(
          file + " was made by another grid: choose another --out, or delete " + folder);
    }
    return true;
  }

  void run(Unit unit, Path folder) throws IOException {
    long start = System.nanoTime();
    Path run = SweepFolder.run(folder, unit);
    Files.createDirectories(run);
    execute(train(unit, run));
    Path judged = run.resolve("judged");
    execute(
        "leaderboard",
        "--scenarios",
        grid.evaluate().scenarios(),
        "--policies",
        "model:" + run,
        "--seeds",
        grid.evaluate().seeds(),
        "--processes",
        "1",
        "--out",
        judged.toString());
    Path file = SweepFolder.result(folder, unit);
    Files.createDirectories(file.toAbsolutePath().getParent());
    new UnitResult(
            grid.fingerprint(),
            unit.index(),
            grid.size(),
            grid.evaluate().metric(),
            unit.settings(),
            unit.seed(),
            means(judged.resolve("leaderboard.csv")),
            (System.nanoTime() - start) / 1e9)
        .write(file);
  }

  private String[] train(Unit unit, Path run) {
    List<String> line = new ArrayList<>(List.of("train"));
    grid.fixed().forEach((option, value) -> line.add("--" + option + "=" + value));
    unit.settings().forEach((option, value) -> line.add("--" + option + "=" + value));
    line.add("--seed=" + unit.seed());
    line.add("--out=" + run);
    return line.toArray(String[]::new);
  }

  private static void execute(String... line) {
    System.out.println("berth " + String.join(" ", line));
    int code = Workbench.commandLine().execute(line);
    if (code != 0) {
      throw new SweepException("berth " + line[0] + " ended with exit code " + code);
    }
  }

  /** Metric name to its mean over scenarios and seeds. */
  private static Map<String, Double> means(Path csv) {
    return CsvTable.read(
            csv,
            List.of("metric", "value"),
            row -> Map.entry(row.text("metric"), row.number("value", Double.NaN)))
        .stream()
        .collect(
            Collectors.groupingBy(
                Map.Entry::getKey, TreeMap::new, Collectors.averagingDouble(Map.Entry::getValue)));
  }
}
