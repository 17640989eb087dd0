package dev.berth.workbench.faults;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What held under each fault: {@code out/faults/faults.json}, and the table made of it. */
final class FaultReport {
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  /**
   * @param pods created while it was broken; all of them were bound
   * @param boundSeconds until the last of them was bound
   * @param byService how many of them the service decided; NaN where the scheduler was not asked
   * @param remembered decisions from before the fault that were asked for after it, and found
   * @param recoverySeconds from the mend until the service decided with right books
   * @param alert the rule that began to fire
   */
  record Line(
      String fault,
      int pods,
      double boundSeconds,
      double byService,
      int remembered,
      double recoverySeconds,
      @Nullable String alert) {}

  private final Path file =
      Path.of(System.getProperty("berth.root"), "out", "faults", "faults.json");
  private final Map<String, Line> lines = new TreeMap<>();

  void add(Line line) {
    lines.put(line.fault(), line);
    System.out.printf(
        Locale.ROOT,
        "  %d pods bound in %.1f s, well again after %.1f s%n",
        line.pods(),
        line.boundSeconds(),
        line.recoverySeconds());
  }

  /** Lines of earlier runs stay where this one has no newer. */
  void write() throws IOException {
    Map<String, Line> all = new TreeMap<>();
    if (Files.exists(file)) {
      all.putAll(JSON.readValue(file.toFile(), new TypeReference<Map<String, Line>>() {}));
    }
    all.putAll(lines);
    Files.createDirectories(file.getParent());
    JSON.writeValue(file.toFile(), all);
    Files.writeString(file.resolveSibling("faults.md"), table(all));
  }

  private static String table(Map<String, Line> all) {
    StringBuilder table =
        new StringBuilder(
            "| fault | pods bound meanwhile | of these by the service | last bound after, s"
                + " | alert | well again after, s | decisions from before still known |\n"
                + "|---|---|---|---|---|---|---|\n");
    all.values().stream()
        .sorted(Comparator.comparing(Line::fault))
        .forEach(
            l ->
                table.append(
                    String.format(
                        Locale.ROOT,
                        "| %s | %d of %d | %s | %.1f | %s | %.1f | %d of %d |%n",
                        l.fault(),
                        l.pods(),
                        l.pods(),
                        Double.isNaN(l.byService()) ? "" : String.valueOf((int) l.byService()),
                        l.boundSeconds(),
                        l.alert() == null ? "" : l.alert(),
                        l.recoverySeconds(),
                        l.remembered(),
                        l.remembered())));
    return table.toString();
  }
}
