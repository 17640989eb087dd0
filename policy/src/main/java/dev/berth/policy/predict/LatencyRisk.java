package dev.berth.policy.predict;

import dev.berth.policy.cluster.LatencyLimits;
import java.util.Map;

/**
 * Share of their time that pods are expected to spend above their latency limits, a hard limit
 * counting tenfold. A node's latency follows the M/M/1 rule {@code idle / (1 - usage)}, so a limit
 * is a usage, {@code 1 - idle / limit}, and the chance to be above it is that of a normal error of
 * the expected usage.
 *
 * <p>Latency is of the moment, and short bursts count: the spread of 0.07 is what the error of
 * forecasts has against the true usage of the moment five minutes ahead (docs/evaluation.md), not
 * that of {@link PlacementCost#FORECAST_ERROR}.
 */
public final class LatencyRisk {
  private static final double HARD_WEIGHT = 10;

  private static final double ERROR = 0.07;

  /** Near capacity the rule says nothing any more. */
  private static final double FULL = 0.95;

  private LatencyRisk() {}

  /**
   * Latency of the idle node, by what was measured under load.
   *
   * @param millis measured; NaN where not known
   * @param usage CPU it was measured at, as a fraction of the node
   */
  public static double idleMillis(double millis, double usage) {
    return millis * (1 - Math.min(FULL, usage));
  }

  /**
   * The risk of one pod.
   *
   * @param usage expected CPU usage, as a fraction of the node
   * @param idleMillis latency of the idle node
   * @param limits a limit that is NaN is not there
   */
  public static double of(double usage, double idleMillis, LatencyLimits limits) {
    return above(usage, idleMillis, limits.softMillis())
        + HARD_WEIGHT * above(usage, idleMillis, limits.hardMillis());
  }

  /** The sum over pods, each kind of limits with its number of pods. */
  public static double of(double usage, double idleMillis, Map<LatencyLimits, Integer> pods) {
    double sum = 0;
    for (Map.Entry<LatencyLimits, Integer> e : pods.entrySet()) {
      sum += e.getValue() * of(usage, idleMillis, e.getKey());
    }
    return sum;
  }

  private static double above(double usage, double idleMillis, double limit) {
    return Double.isNaN(limit)
        ? 0
        : PlacementCost.normal((usage - (1 - idleMillis / limit)) / ERROR);
  }
}
