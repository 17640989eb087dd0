package dev.berth.simulator.scenario;

import dev.berth.simulator.usage.Range;

/**
 * How a scorer outside the scheduler hears of binds and ends.
 *
 * @param delaySeconds from the event to when the scorer hears of it; reports arrive in order
 * @param loss share of reports that never arrive, 0..1
 * @param resyncSeconds between full lists of what runs, which repair what was lost
 * @param clockOffsetSeconds how far the scheduler's clock, which stamps events, is ahead of the
 *     scorer's, which stamps samples and decisions; negative for behind
 * @param reservations whether a question names what its scheduler reserved and has no answer to
 *     yet, as the plugin's does
 */
public record OutcomeSpec(
    Range delaySeconds,
    double loss,
    double resyncSeconds,
    double clockOffsetSeconds,
    boolean reservations) {
  /** Everything is heard of at once. */
  public static final OutcomeSpec AT_ONCE = new OutcomeSpec(new Range(0, 0), 0, 1800, 0, true);

  public OutcomeSpec {
    if (!(delaySeconds.min() >= 0) || !(loss >= 0 && loss < 1)) {
      throw new IllegalArgumentException(
          "outcomes need delay >= 0s and 0 <= loss < 100 %, got " + delaySeconds + ", " + loss);
    }
    if (!(resyncSeconds >= 5)) {
      throw new IllegalArgumentException(
          "resync is at least 5s, the simulator's tick, got " + resyncSeconds);
    }
    if (!Double.isFinite(clockOffsetSeconds)) {
      throw new IllegalArgumentException("clock_offset must be finite, got " + clockOffsetSeconds);
    }
  }
}
