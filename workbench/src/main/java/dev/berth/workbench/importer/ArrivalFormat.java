package dev.berth.workbench.importer;

import dev.berth.policy.text.TextException;
import dev.berth.simulator.workload.Arrivals.Batch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A published format of recorded arrivals. */
interface ArrivalFormat {
  /** What to name on the command line. */
  String name();

  /**
   * Every batch of a trace, in any order.
   *
   * @param place a file of the format, or the folder it lies in
   * @throws TextException naming file, line and fix
   */
  List<Batch> read(Path place) throws IOException;

  /** The one file of a place whose name says what it is. */
  static SourceFile one(Path place, String pattern, String expected) throws IOException {
    List<SourceFile> found =
        SourceFile.below(place).stream().filter(f -> f.name().matches(pattern)).toList();
    if (found.isEmpty() && Files.isRegularFile(place)) {
      throw new TextException(
          place.toString(), 0, "", "a file of this format is called " + expected, null);
    }
    if (found.size() != 1) {
      throw new TextException(
          place.toString(),
          0,
          "",
          "%d files are called %s, expected one: name the file itself, or a folder that holds one"
              .formatted(found.size(), expected),
          null);
    }
    return found.get(0);
  }
}
