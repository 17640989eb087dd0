package dev.berth.workbench.importer;

import java.util.List;

/** A day as lines of numbers: one line a step, the columns apart by blanks. */
final class DayFile {
  private static final double DAY_SECONDS = 86_400;

  private DayFile() {}

  /**
   * Reads {@code [columns][steps]}.
   *
   * @throws dev.berth.policy.text.TextException for a day that is not whole
   */
  static float[][] read(SourceFile file, UsageFormat.Scale scale, int columns) {
    List<String> lines = file.lines();
    int steps = (int) Math.round(DAY_SECONDS / scale.stepSeconds());
    String day = "a day of %.0f s steps has %d".formatted(scale.stepSeconds(), steps);
    if (lines.size() < steps) {
      throw file.error(
          lines.size(),
          "cut short after %d lines, %s: copy it again, or say --step if its step is another"
              .formatted(lines.size(), day));
    }
    if (lines.size() > steps) {
      throw file.error(
          steps + 1,
          "%d lines, %s: say --step if its step is another, or split it into days"
              .formatted(lines.size(), day));
    }
    float[][] out = new float[columns][steps];
    for (int i = 0; i < steps; i++) {
      String[] fields = lines.get(i).strip().split("\\s+");
      if (lines.get(i).isBlank()) {
        throw file.error(i + 1, "a gap: no value for this step; fill it or leave the file out");
      }
      if (fields.length != columns) {
        throw file.error(
            i + 1,
            "%d columns, expected %d: copy the file again".formatted(fields.length, columns));
      }
      for (int c = 0; c < columns; c++) {
        out[c][i] = (float) file.amount(fields[c], i + 1, c == 0 ? "CPU" : "memory");
      }
    }
    return out;
  }
}
