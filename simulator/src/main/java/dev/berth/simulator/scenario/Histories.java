package dev.berth.simulator.scenario;

import dev.berth.simulator.history.ArrivalsFile;
import dev.berth.simulator.history.HistoryFile;
import dev.berth.simulator.usage.History;
import dev.berth.simulator.workload.Arrivals;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the data that scenario files name, and reads each file once for all scenarios that name it.
 *
 * <p>A name may begin with a variable, {@code ${BERTH_HISTORIES}/planetlab.csv.gz}: of the
 * environment, else a system property. A relative name is relative to the scenario's folder, a
 * relative folder in a variable to where the command is run.
 */
final class Histories {
  private static final Pattern VARIABLE = Pattern.compile("\\$\\{(\\w+)}");

  private final Map<Path, History> known = new HashMap<>();
  private final Map<Path, Arrivals> arrivals = new HashMap<>();

  /**
   * The history.
   *
   * @param where the scenario file and line that names it
   * @throws MissingHistoryException when it is not on this machine
   */
  History read(String name, Path folder, String where) {
    Path file = find(name, folder, where);
    return known.computeIfAbsent(file, HistoryFile::read);
  }

  /** Recorded arrivals, found in the same way. */
  Arrivals arrivals(String name, Path folder, String where) {
    return arrivals.computeIfAbsent(find(name, folder, where), ArrivalsFile::read);
  }

  static Path find(String name, Path folder, String where) {
    Matcher m = VARIABLE.matcher(name);
    StringBuilder path = new StringBuilder();
    while (m.find()) {
      String variable = m.group(1);
      @Nullable String set = System.getenv(variable);
      String value = set == null ? System.getProperty(variable) : set;
      if (value == null) {
        throw new MissingHistoryException(
            "%s: recorded data is not part of Berth: set %s to the folder of %s (docs/real-load.md)"
                .formatted(where, variable, Path.of(name).getFileName()));
      }
      String folderSet = Path.of(value).toAbsolutePath().toString();
      m.appendReplacement(path, Matcher.quoteReplacement(folderSet));
    }
    Path file = folder.resolve(m.appendTail(path).toString()).normalize();
    if (!Files.isRegularFile(file)) {
      throw new MissingHistoryException(
          "%s: no file %s: 'berth import' makes it from published data (docs/real-load.md)"
              .formatted(where, file));
    }
    return file;
  }
}
