package dev.berth.policy.usage;

import java.util.Arrays;

/**
 * Cosines and sines of the time of day, {@code [cos w t, sin w t, cos 2 w t, ...]}. All owners of a
 * decision are asked about the same few instants, and in a cluster of many owners these were most
 * of what a forecast cost: what was worked out last is kept.
 *
 * <p>Thread rule: one owner; callers serialise access.
 */
final class TimeOfDay {
  /** More than the horizons of a decision. */
  private static final int KEPT = 8;

  private final double daySeconds;
  private final double[] instants = new double[KEPT];
  private final double[][] waves = new double[KEPT][2 * OwnerModel.HARMONICS];
  private int oldest;

  TimeOfDay(double daySeconds) {
    this.daySeconds = daySeconds;
    Arrays.fill(instants, Double.NaN);
  }

  /** The waves at time t, {@code [2 * OwnerModel.HARMONICS]}; not to be written to, nor kept. */
  double[] at(double t) {
    for (int i = 0; i < KEPT; i++) {
      if (instants[i] == t) {
        return waves[i];
      }
    }
    int i = oldest;
    oldest = (oldest + 1) % KEPT;
    instants[i] = t;
    double angle = 2 * Math.PI * t / daySeconds;
    for (int k = 1; k <= OwnerModel.HARMONICS; k++) {
      waves[i][2 * k - 2] = Math.cos(k * angle);
      waves[i][2 * k - 1] = Math.sin(k * angle);
    }
    return waves[i];
  }
}
