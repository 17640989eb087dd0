package dev.berth.policy.cluster;

/**
 * Latency limits from pod annotations, in milliseconds; NaN where the pod names none (never 0: an
 * absent limit must not read as an impossible one).
 */
public record LatencyLimits(double softMillis, double hardMillis) {
  public static final LatencyLimits NONE = new LatencyLimits(Double.NaN, Double.NaN);

  /** Whether there is a limit at all. */
  public boolean any() {
    return !Double.isNaN(softMillis) || !Double.isNaN(hardMillis);
  }
}
