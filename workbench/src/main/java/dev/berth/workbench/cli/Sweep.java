package dev.berth.workbench.cli;

import dev.berth.policy.text.TextException;
import dev.berth.simulator.experiment.FolderLock;
import dev.berth.workbench.console.Progress;
import dev.berth.workbench.sweep.Grid;
import dev.berth.workbench.sweep.Reduction;
import dev.berth.workbench.sweep.SweepException;
import dev.berth.workbench.sweep.SweepFolder;
import dev.berth.workbench.sweep.SweepRunner;
import dev.berth.workbench.sweep.Unit;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code berth sweep}: every cell of a hyper-parameter grid, each with every seed. */
@Command(
    name = "sweep",
    description = "Search hyper-parameters: train and judge every cell of a grid with every seed.",
    footer = {
      "",
      "Each unit (one cell, one seed) writes one result file; what is there is not run again, so a",
      "stopped sweep goes on where it was. docs/sweeps.md describes the grid file.",
      "",
      "Examples:",
      "  berth sweep notebooks/grid.yaml --out out/sweep        all units, a few at a time",
      "  berth sweep grid.yaml --out /results --index 7          one unit, as a Kubernetes Job"
          + " does",
      "  berth sweep --reduce out/sweep                          the table of a finished sweep"
    })
final class Sweep implements Callable<Integer> {

  @Parameters(index = "0", arity = "0..1", paramLabel = "GRID.yaml", description = "The grid file.")
  private @Nullable Path gridFile;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Results, runs, logs. Default: out/sweep/GRID.")
  private @Nullable Path out;

  @Option(
      names = "--processes",
      paramLabel = "N",
      description = "Units at once. Default: the number of cores.")
  private int processes = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--index",
      paramLabel = "N",
      description = "Run this unit alone, in this process.")
  private @Nullable Integer index;

  @Option(
      names = "--reduce",
      paramLabel = "DIR",
      description = "Put the results of a sweep together.")
  private @Nullable Path reduce;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    try {
      if (reduce != null) {
        return report(reduce);
      }
      if (gridFile == null) {
        throw wrong("give a grid file, or --reduce DIR");
      }
      if (processes < 1) {
        throw wrong("--processes " + processes + ": at least 1");
      }
      Grid grid = Grid.read(gridFile);
      Trial trial = new Trial(grid);
      trial.check(gridFile);
      Path folder = out != null ? out : Path.of("out", "sweep", stem(gridFile));
      return index == null ? alone(grid, trial, folder) : one(grid, trial, folder, index);
    } catch (TextException | SweepException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private int one(Grid grid, Trial trial, Path folder, int at) throws IOException {
    if (at < 0 || at >= grid.size()) {
      throw wrong("--index " + at + ": the grid has units 0 to " + (grid.size() - 1));
    }
    Unit unit = grid.unit(at);
    if (trial.isDone(unit, folder)) {
      System.out.println("unit " + at + " is done: " + SweepFolder.result(folder, unit));
    } else {
      trial.run(unit, folder);
    }
    return 0;
  }

  /** Units by --index share the folder, whole sweeps do not. */
  private int alone(Grid grid, Trial trial, Path folder) throws IOException, InterruptedException {
    try (Closeable alone = FolderLock.ofWork(folder, "sweep")) {
      return all(grid, trial, folder);
    }
  }

  private int all(Grid grid, Trial trial, Path folder) throws IOException, InterruptedException {
    List<Unit> todo = new ArrayList<>();
    for (Unit unit : grid.units()) {
      if (!trial.isDone(unit, folder)) {
        todo.add(unit);
      }
    }
    int done = grid.size() - todo.size();
    System.out.printf("%d units, %d already done, %d at a time%n", grid.size(), done, processes);
    List<Unit> failed;
    try (SweepRunner runner = new SweepRunner(child(folder), folder, processes);
        Progress bar = Progress.of("sweep", grid.size())) {
      Runtime.getRuntime().addShutdownHook(new Thread(runner::close, "stop units"));
      bar.stepTo(done);
      failed = runner.run(todo, unit -> bar.step());
    }
    for (Unit unit : failed) {
      System.err.printf(
          "unit %d (%s, seed %d) failed: see %s%n",
          unit.index(), unit.cell(), unit.seed(), SweepFolder.log(folder, unit));
    }
    return failed.size() == grid.size() ? 1 : Math.max(report(folder), failed.isEmpty() ? 0 : 1);
  }

  /** The same Java, flags and class path as this process. */
  private List<String> child(Path folder) {
    List<String> line = new ArrayList<>();
    line.add(ProcessHandle.current().info().command().orElse("java"));
    line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    line.addAll(List.of("-cp", System.getProperty("java.class.path"), Workbench.class.getName()));
    line.addAll(List.of("sweep", String.valueOf(gridFile), "--out", folder.toString()));
    return line;
  }

  private int report(Path folder) throws IOException {
    Reduction reduction = Reduction.of(folder);
    String table = reduction.markdown();
    System.out.print(table);
    Files.writeString(folder.resolve("sweep.md"), table);
    reduction.writeCsv(folder.resolve("sweep.csv"));
    System.out.println("written: " + folder.resolve("sweep.csv"));
    List<Integer> missing = reduction.missing();
    if (!missing.isEmpty()) {
      System.err.println(
          "not whole: units " + missing + " have no result; run the sweep again with this --out");
    }
    return missing.isEmpty() ? 0 : 1;
  }

  private static String stem(Path file) {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  private ParameterException wrong(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
