package dev.berth.policy.agent;

import dev.berth.policy.predict.PlacementCost;
import dev.berth.policy.reward.Measurement;
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
   * Rewards of all candidates by the cost of usage, NaN for those that earn none; for {@link
   * #DIFFERENCE} see {@link dev.berth.policy.reward.Rewards}.
   *
   * @param m its load for {@link #CLUSTER} as measured, for the others without the pod and without
   *     later binds
   */
  double[] rewards(Measurement m, int chosen) {
    double[] load = m.filledLoad();
    if (Arrays.stream(m.load()).filter(u -> !Double.isNaN(u)).count() < 2) {
      Arrays.fill(load, Double.NaN);
      return load;
    }
    double[] out = new double[load.length];
    if (this == LEVEL) {
      Arrays.setAll(out, i -> Double.isNaN(m.load()[i]) ? Double.NaN : -load[i] - m.share(i));
      return out;
    }
    Arrays.fill(out, Double.NaN);
    out[chosen] = Double.isNaN(m.load()[chosen]) ? Double.NaN : -PlacementCost.of(load);
    return out;
  }

  /** Whether a reward shows what was there, pods that came later included. */
  boolean raw() {
    return this == CLUSTER;
  }
}
