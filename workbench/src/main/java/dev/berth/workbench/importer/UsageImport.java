package dev.berth.workbench.importer;

import dev.berth.policy.text.TextException;
import dev.berth.simulator.history.HistoryFile;
import dev.berth.simulator.usage.History;
import dev.berth.simulator.usage.Series;
import dev.berth.workbench.importer.UsageFormat.Piece;
import dev.berth.workbench.importer.UsageFormat.Scale;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * Reads a published trace into a history: pieces of a pod that follow each other are joined, those
 * in which nothing moves are left out.
 */
public final class UsageImport {
  /** Every format, by the order in which help lists them. */
  static final List<UsageFormat> FORMATS =
      List.of(new PlanetLab(), new GoogleJobs(), new Bitbrains());

  /**
   * What came of it.
   *
   * @param owners how many
   * @param filledSteps steps that no row of the source covers
   * @param constant pods of which a piece was left out because its CPU never moves
   * @param damaged files that were left out, with what is wrong
   */
  public record Result(
      History history, int owners, int filledSteps, List<String> constant, List<String> damaged) {}

  private final UsageFormat format;
  private final Scale scale;
  private final boolean skipDamaged;

  /**
   * An import.
   *
   * @param format see {@link #formats}
   * @param cores what a percentage of CPU is of
   * @param bytes what a percentage of memory is of
   * @param skipDamaged leave damaged files out instead of refusing the trace
   * @throws IllegalArgumentException for an unknown format
   */
  public UsageImport(
      String format, double stepSeconds, double cores, double bytes, boolean skipDamaged) {
    this.format =
        FORMATS.stream()
            .filter(f -> f.name().equals(format))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "unknown format '%s'; there are: %s, %s"
                            .formatted(
                                format,
                                String.join(", ", formats()),
                                String.join(", ", ArrivalImport.formats()))));
    this.scale = new Scale(stepSeconds, cores, bytes);
    this.skipDamaged = skipDamaged;
  }

  public static List<String> formats() {
    return FORMATS.stream().map(UsageFormat::name).toList();
  }

  /** The files below a place that are of the format. */
  public List<Path> files(Path place) throws IOException {
    List<Path> files =
        SourceFile.below(place).stream().filter(format::mine).map(SourceFile::path).toList();
    if (files.isEmpty()) {
      throw new TextException(
          place.toString(),
          0,
          "",
          "no file of format %s in it: it has %s; unpack archives first (tar xzf)"
              .formatted(format.name(), format.layout()),
          null);
    }
    return files;
  }

  /**
   * Reads files.
   *
   * @param name of the history, for messages
   * @param done is told how many files are read
   */
  public Result read(List<Path> files, String name, IntConsumer done) {
    Map<String, List<Piece>> pods = new TreeMap<>();
    List<String> damaged = new ArrayList<>();
    int read = 0;
    for (Path path : files) {
      try {
        for (Piece piece : format.read(new SourceFile(path), scale)) {
          pods.computeIfAbsent(piece.owner() + "\n" + piece.pod(), k -> new ArrayList<>())
              .add(piece);
        }
      } catch (TextException e) {
        if (!skipDamaged) {
          throw e;
        }
        damaged.add(e.getMessage());
      }
      done.accept(++read);
    }
    List<String> constant = new ArrayList<>();
    History.Builder builder = new History.Builder();
    int filled = 0;
    for (List<Piece> pieces : pods.values()) {
      for (Piece piece : joined(pieces)) {
        if (piece.cores().length < 2 || HistoryFile.neverMoves(piece.cores())) {
          constant.add(piece.owner() + " " + piece.pod());
        } else {
          filled += piece.filled();
          builder.add(
              new Series(
                  piece.owner(),
                  piece.pod(),
                  piece.from(),
                  scale.stepSeconds(),
                  piece.cores(),
                  piece.bytes()));
        }
      }
    }
    History history = builder.build(name);
    int owners = (int) history.series().stream().map(Series::owner).distinct().count();
    return new Result(history, owners, filled, constant, damaged);
  }

  private List<Piece> joined(List<Piece> pieces) {
    List<Piece> sorted = new ArrayList<>(pieces);
    sorted.sort((a, b) -> Double.compare(a.from(), b.from()));
    List<Piece> out = new ArrayList<>();
    for (Piece next : sorted) {
      Piece last = out.isEmpty() ? null : out.get(out.size() - 1);
      if (last != null && last.from() + last.cores().length * scale.stepSeconds() == next.from()) {
        out.set(
            out.size() - 1,
            new Piece(
                last.owner(),
                last.pod(),
                last.from(),
                joined(last.cores(), next.cores()),
                joined(last.bytes(), next.bytes()),
                last.filled() + next.filled()));
      } else {
        out.add(next);
      }
    }
    return out;
  }

  private static float[] joined(float[] a, float[] b) {
    float[] out = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, out, a.length, b.length);
    return out;
  }
}
