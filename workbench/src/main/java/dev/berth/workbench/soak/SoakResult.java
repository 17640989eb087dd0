package dev.berth.workbench.soak;

import java.util.List;

/**
 * What a run came to.
 *
 * @param phases those that were begun
 * @param ended why the service's process ended before it was told to, empty if it did not
 * @param firstError of a decision or a batch of outcomes, empty if there was none
 * @param refused batches of outcomes that were not taken at once
 */
public record SoakResult(
    SoakPlan plan,
    List<PhaseResult> phases,
    List<Sample> samples,
    String ended,
    String firstError,
    long refused) {

  /**
   * Decisions of one phase; times from when they were due, in milliseconds.
   *
   * @param due that should have been asked by its end
   * @param answered in time and well
   */
  public record PhaseResult(
      SoakPlan.Phase phase,
      long due,
      long answered,
      long errors,
      double p50,
      double p99,
      double max) {}

  /** The looks of one phase, oldest first. */
  public List<Sample> samples(int phase) {
    return samples.stream().filter(s -> s.phase() == phase).toList();
  }

  /** The largest resident set, MiB. */
  public double peak() {
    return samples.stream().mapToDouble(Sample::peak).max().orElse(Double.NaN);
  }

  /** Gradient steps that are known of. */
  public double steps() {
    return samples.stream().mapToDouble(Sample::steps).filter(s -> s > 0).max().orElse(0);
  }
}
