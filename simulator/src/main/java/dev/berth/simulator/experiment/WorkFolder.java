package dev.berth.simulator.experiment;

import dev.berth.simulator.scenario.Scenario;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The folder of an experiment: {@code leaderboard.csv} with what is done, {@code parts/} with what
 * workers are adding, {@code scenarios.txt} and {@code policies.txt} that remember what was run, so
 * that results of changed scenario or model files are never mixed.
 */
public final class WorkFolder {
  private final Path folder;
  private final Path parts;
  private final Path done;
  private final List<Scenario> scenarios;
  private final Map<String, String> models;

  /**
   * Names what is to be run in a folder.
   *
   * @param models fingerprint of the file behind each policy that is read from one, by policy name
   */
  public WorkFolder(Path folder, List<Scenario> scenarios, Map<String, String> models) {
    this.folder = folder;
    this.parts = folder.resolve("parts");
    this.done = folder.resolve("leaderboard.csv");
    this.scenarios = scenarios;
    this.models = models;
  }

  /**
   * Takes the folder until what is returned is closed, or this process ends; its workers need no
   * lock of their own.
   *
   * @throws IllegalStateException when somebody else has it
   */
  public Closeable lock() throws IOException {
    return FolderLock.ofWork(folder, "leaderboard");
  }

  /**
   * Makes the folder ready and returns what is left to do.
   *
   * @throws IllegalStateException if results in it come from other scenario or model files
   */
  public List<Run> prepare(List<Run> wanted) throws IOException {
    Files.createDirectories(parts);
    Map<String, String> prints = new TreeMap<>();
    for (Scenario s : scenarios) {
      prints.put(s.name(), Integer.toHexString(s.toString().hashCode()));
    }
    remember("policy", models, folder.resolve("policies.txt"));
    remember("scenario", prints, folder.resolve("scenarios.txt"));
    reduceParts();
    return open(wanted);
  }

  private void remember(String kind, Map<String, String> prints, Path manifest) throws IOException {
    Map<String, String> known = new TreeMap<>();
    if (Files.exists(manifest)) {
      for (String line : Files.readAllLines(manifest)) {
        known.put(line.substring(line.indexOf(' ') + 1), line.substring(0, line.indexOf(' ')));
      }
    }
    prints.forEach(
        (name, print) -> {
          String before = known.put(name, print);
          if (before != null && !before.equals(print)) {
            throw new IllegalStateException(
                "results in %s come from another version of %s %s: choose another --out or remove the folder"
                    .formatted(folder, kind, name));
          }
        });
    StringBuilder out = new StringBuilder();
    known.forEach((name, print) -> out.append(print).append(' ').append(name).append('\n'));
    Files.writeString(manifest, out);
  }

  /** The runs that have no complete result in {@code leaderboard.csv}. */
  public List<Run> open(List<Run> wanted) throws IOException {
    Results results = everythingDone();
    return wanted.stream().filter(run -> !results.has(run)).toList();
  }

  /** Where worker {@code index} appends. */
  public Path part(int index) {
    return parts.resolve(index + ".csv");
  }

  /** Takes the workers' results in and returns those that were asked for. */
  public Results reduce(List<Run> wanted) throws IOException {
    Results all = reduceParts();
    all.keepOnly(wanted);
    return all;
  }

  /** Takes the workers' results in and returns everything that was ever done here. */
  public Results everything() throws IOException {
    return reduceParts();
  }

  /** What {@code leaderboard.csv} has; what workers are adding is left alone. */
  public Results everythingDone() throws IOException {
    Results results = new Results();
    if (Files.exists(done)) {
      results.read(done);
    }
    return results;
  }

  private Results reduceParts() throws IOException {
    Results all = new Results();
    if (Files.exists(done)) {
      all.read(done);
    }
    List<Path> files;
    try (Stream<Path> list = Files.list(parts)) {
      files = list.sorted().toList();
    }
    for (Path file : files) {
      all.read(file);
    }
    if (all.size() > 0) {
      all.write(done);
    }
    for (Path file : files) {
      Files.delete(file);
    }
    return all;
  }
}
