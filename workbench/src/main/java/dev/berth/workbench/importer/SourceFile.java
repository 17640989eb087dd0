package dev.berth.workbench.importer;

import dev.berth.policy.file.FileTrouble;
import dev.berth.policy.text.TextException;
import dev.berth.policy.text.Units;
import dev.berth.simulator.csv.CsvTable;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipException;

/** A file of a published trace, plain or gzip, with errors that name file and line. */
record SourceFile(Path path) {
  /** Of what a message shows of a field, characters. */
  private static final int SHOWN = 40;

  /** Beyond every time, size and share that a machine has. */
  private static final double MOST = 1e15;

  /** All files below a folder that may be of a trace, in order; a file stands for itself. */
  static List<SourceFile> below(Path place) throws IOException {
    if (!Files.exists(place)) {
      throw new TextException(
          place.toString(), 0, "", "no such file or folder: name where the trace lies", null);
    }
    Path root = Files.isSymbolicLink(place) ? place.toRealPath() : place;
    try (Stream<Path> walk = Files.walk(root)) {
      return walk.filter(Files::isRegularFile).sorted().map(SourceFile::new).toList();
    }
  }

  /** Its name without {@code .gz}. */
  String name() {
    return String.valueOf(path.getFileName()).replaceFirst("\\.gz$", "");
  }

  /** The name of the folder it lies in, empty for none. */
  String folder() {
    Path parent = path.toAbsolutePath().getParent();
    return parent == null ? "" : String.valueOf(parent.getFileName());
  }

  /** Its lines, without blank ones at the end. */
  List<String> lines() {
    try (BufferedReader reader = CsvTable.text(path)) {
      List<String> lines = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.add(line);
      }
      int end = lines.size();
      while (end > 0 && lines.get(end - 1).isBlank()) {
        end--;
      }
      return lines.subList(0, end);
    } catch (IOException e) {
      throw damaged(e);
    }
  }

  private TextException damaged(IOException e) {
    String what =
        e instanceof EOFException || e instanceof ZipException
            ? "damaged gzip (%s): copy it again"
            : "cannot be read (%s)";
    return new TextException(path.toString(), 0, "", what.formatted(FileTrouble.reason(e)), e);
  }

  /** A number that is not negative, in the field of a line; {@code line} counts from 1. */
  double amount(String field, int line, String what) {
    double value;
    try {
      value = Units.number(field);
    } catch (IllegalArgumentException e) {
      throw error(
          line, "%s is '%s', expected a number; copy the file again".formatted(what, shown(field)));
    }
    if (value < 0 || value > MOST) {
      throw error(
          line,
          "%s is %s: it is never %s; mend the file or leave it out"
              .formatted(what, shown(field), value < 0 ? "negative" : "so large"));
    }
    return value;
  }

  private static String shown(String field) {
    return field.length() > SHOWN ? field.substring(0, SHOWN) + "..." : field;
  }

  TextException error(int line, String what) {
    return new TextException(path.toString(), line, "", what, null);
  }
}
