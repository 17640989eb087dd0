package dev.berth.policy.agent;

import dev.berth.policy.predict.PlacementCost;
import java.util.Arrays;

/** How the measured outcome of a decision is credited to its candidates. */
public enum Credit {
  /**
   * What the pod would have added on each candidate, less what later binds brought, as a difference
   * to the candidates' mean.
   */
  DIFFERENCE,
  /** Minus the usage of each candidate with the pod, less what later binds brought. */
  LEVEL,
  /**
   * Minus the cost of all candidates together, as measured, credited to the chosen one alone: the
   * global reward of published schedulers.
   */
  CLUSTER;

  /**
   * Rewards of all candidates, NaN for those that earn none.
   *
   * @param load usage fraction, for {@link #CLUSTER} as measured, for the others without the pod
   *     and without later binds, {@code [candidates]}
   */
  double[] rewards(double[] load, long[] cpuMilli, double podCores, int chosen) {
    if (this == DIFFERENCE) {
      return Objective.rewards(load, cpuMilli, podCores);
    }
    double[] out = new double[load.length];
    if (this == LEVEL) {
      Arrays.setAll(out, i -> -load[i] - 1000 * podCores / cpuMilli[i]);
      return out;
    }
    Arrays.fill(out, Double.NaN);
    out[chosen] = -PlacementCost.of(load);
    return out;
  }

  /** Whether a reward shows what was there, pods that came later included. */
  boolean raw() {
    return this == CLUSTER;
  }
}
