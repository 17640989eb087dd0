package dev.berth.workbench.cli;

import dev.berth.simulator.csv.CsvTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * What experiments of {@code berth evidence-ab} have come to, a line of a file each, written as
 * they end: a run that was killed goes on behind the last one.
 *
 * <p>Thread rule: one thread.
 */
final class AbResults {
  private static final String HEADER = "world,experiment,harm,gain,pairs,worse";

  private final Path file;
  private final List<Line> lines = new ArrayList<>();

  /**
   * An experiment.
   *
   * @param world seed of what was simulated
   * @param experiment number in that world; {@link Line#WORSE} for the one with the worse policy
   * @param harm B was called worse
   * @param gain B was called better
   * @param pairs of slots until it ended
   * @param worse share by which B spreads usage more, each alone; 0 for A with itself
   */
  record Line(long world, int experiment, boolean harm, boolean gain, int pairs, double worse) {
    static final int WORSE = -1;

    static Line read(String text) {
      List<String> parts = CsvTable.fields(text);
      return new Line(
          Long.parseLong(parts.get(0)),
          Integer.parseInt(parts.get(1)),
          Boolean.parseBoolean(parts.get(2)),
          Boolean.parseBoolean(parts.get(3)),
          Integer.parseInt(parts.get(4)),
          Double.parseDouble(parts.get(5)));
    }

    String text() {
      return "%d,%d,%b,%b,%d,%s".formatted(world, experiment, harm, gain, pairs, worse);
    }

    boolean same() {
      return experiment != WORSE;
    }
  }

  private AbResults(Path file) {
    this.file = file;
  }

  /**
   * Begins a file, or takes up what is there of it.
   *
   * @param settings that all of its experiments share, in a line
   * @throws IllegalArgumentException when those in the file had others
   */
  static AbResults open(Path folder, String settings) throws IOException {
    Files.createDirectories(folder);
    AbResults results = new AbResults(folder.resolve("experiments.csv"));
    String first = "# " + settings;
    if (!Files.exists(results.file)) {
      Files.writeString(results.file, first + "\n" + HEADER + "\n");
      return results;
    }
    List<String> text = Files.readAllLines(results.file);
    if (text.isEmpty() || !text.get(0).equals(first)) {
      throw new IllegalArgumentException(
          "%s has experiments with other settings (%s): choose another --out or remove it"
              .formatted(results.file, text.isEmpty() ? "none" : text.get(0)));
    }
    text.stream().skip(2).map(Line::read).forEach(results.lines::add);
    return results;
  }

  /** Those of a world; a world is written at once, so all or none are there. */
  boolean has(long world, boolean same) {
    return lines.stream().anyMatch(l -> l.world() == world && l.same() == same);
  }

  /** Keeps experiments that have ended. */
  void add(List<Line> ended) throws IOException {
    StringBuilder text = new StringBuilder();
    ended.forEach(l -> text.append(l.text()).append('\n'));
    Files.writeString(file, text, StandardOpenOption.APPEND);
    lines.addAll(ended);
  }

  List<Line> same() {
    return lines.stream().filter(Line::same).toList();
  }

  List<Line> worse() {
    return lines.stream().filter(l -> !l.same()).toList();
  }
}
