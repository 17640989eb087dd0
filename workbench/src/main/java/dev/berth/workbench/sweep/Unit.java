package dev.berth.workbench.sweep;

import java.util.Map;

/**
 * One training run and its judgement.
 *
 * @param index 0-based; a Kubernetes Indexed Job gives it as JOB_COMPLETION_INDEX
 * @param settings the cell of the grid, option name to value, in the order of the grid file
 * @param seed of the training; the judging seeds are the same for every unit
 */
public record Unit(int index, Map<String, String> settings, long seed) {

  /** The settings as {@code gamma=0 learning-rate=0.001}; names the cell in tables. */
  public String cell() {
    return String.join(
        " ", settings.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
  }

  /** File name stem, so that a sorted listing is in order of the index. */
  public String stem() {
    return "%05d".formatted(index);
  }
}
