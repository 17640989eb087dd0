package dev.berth.workbench.sweep;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Runs units as child processes, a few at a time. Processes and not threads: a unit that crashes
 * takes no other with it.
 */
public final class SweepRunner implements AutoCloseable {
  private final List<String> command;
  private final Path folder;
  private final ExecutorService slots;
  private final Set<Process> children = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /**
   * @param command what runs one unit once {@code --index N} is appended
   * @param jobs how many units run at once
   */
  public SweepRunner(List<String> command, Path folder, int jobs) {
    this.command = List.copyOf(command);
    this.folder = folder;
    this.slots = Executors.newFixedThreadPool(jobs);
  }

  /**
   * Runs them all; one that fails does not stop the others.
   *
   * @param finished told of every unit that ended, from the thread that ran it
   * @return the units that failed, in order; each has a log
   */
  public List<Unit> run(List<Unit> units, Consumer<Unit> finished)
      throws IOException, InterruptedException {
    Files.createDirectories(folder.resolve("logs"));
    List<Future<Boolean>> outcomes = new ArrayList<>();
    for (Unit unit : units) {
      outcomes.add(
          slots.submit(
              () -> {
                boolean succeeded = runOne(unit);
                finished.accept(unit);
                return succeeded;
              }));
    }
    List<Unit> failed = new ArrayList<>();
    for (int i = 0; i < units.size(); i++) {
      try {
        if (!outcomes.get(i).get()) {
          failed.add(units.get(i));
        }
      } catch (ExecutionException e) {
        throw new SweepException("cannot start " + command.get(0) + ": " + e.getCause(), e);
      }
    }
    return failed;
  }

  private boolean runOne(Unit unit) throws IOException, InterruptedException {
    if (closed) {
      return false;
    }
    List<String> line = new ArrayList<>(command);
    line.add("--index");
    line.add(Integer.toString(unit.index()));
    Process child =
        new ProcessBuilder(line)
            .redirectErrorStream(true)
            .redirectOutput(SweepFolder.log(folder, unit).toFile())
            .start();
    children.add(child);
    try {
      if (closed) {
        child.destroy();
      }
      return child.waitFor() == 0;
    } finally {
      children.remove(child);
    }
  }

  /** Stops what still runs; finished results stay, and the next run takes up the rest. */
  @Override
  public void close() {
    closed = true;
    children.forEach(Process::destroy);
    slots.shutdown(); // what still waits sees `closed` and does not start
  }
}
