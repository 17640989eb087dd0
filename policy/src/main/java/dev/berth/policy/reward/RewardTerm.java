package dev.berth.policy.reward;

import dev.berth.policy.Decision;
import dev.berth.policy.state.ClusterState;
import org.jspecify.annotations.Nullable;

/** One thing that a placement is to keep small, as a sum over nodes. */
public sealed interface RewardTerm {

  /** Name in settings, kebab-case. */
  String name();

  /** What a network must see of this term beside the ordinary features; null for nothing more. */
  default @Nullable FeatureColumn featureColumn(Decision d) {
    return null;
  }

  /** Whether {@link #featureColumn} is ever more than null: a network's width must not change. */
  default boolean seen() {
    return false;
  }

  /**
   * A column of features: what a candidate is without and with the pod, about -1..1; where it is
   * not known both are alike.
   *
   * @param before {@code [candidates]}
   * @param after {@code [candidates]}
   */
  record FeatureColumn(double[] before, double[] after) {}

  /**
   * A term that the scheduler's own columns and the cluster state answer when the pod is placed.
   */
  non-sealed interface Immediate extends RewardTerm {
    /**
     * What the pod would add on each candidate, NaN where that is not known, {@code [candidates]}.
     * Reads the cluster state: its owner's lock must be held.
     */
    double[] increase(Decision d);
  }

  /** A term that is measured after the placement, see {@link Measurement}. */
  non-sealed interface Delayed extends RewardTerm {
    /**
     * The measurement that the term rests on; where it is NaN the candidate has no reward, {@code
     * [candidates]}.
     */
    double[] reading(Measurement m);

    /** What the pod adds on each candidate; any finite value where the reading is NaN. */
    double[] increase(Measurement m);
  }

  /** Mean of what is known; NaN if nothing is. */
  static double mean(double[] values) {
    double sum = 0;
    int known = 0;
    for (double v : values) {
      if (!Double.isNaN(v)) {
        sum += v;
        known++;
      }
    }
    return known == 0 ? Double.NaN : sum / known;
  }

  /** The owner's pods on each candidate, {@code [candidates]}. */
  static int[] ownerPods(Decision d) {
    ClusterState state = d.state();
    return state.ownerPods(d.pod().owner(), d.candidates());
  }
}
