package dev.berth.policy.agent;

import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.network.Forward;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import dev.berth.policy.network.Workspace;
import dev.berth.policy.predict.PlacementCost;

/**
 * The decomposed Q of a decision: {@code Q(s, node) = v(after) - v(before)}, one value network for
 * every node. The difference cancels all that the placement does not touch, so any cluster size
 * will do.
 */
final class ValueDifference {
  /** The network works in units where a typical difference between candidates is about 1. */
  static final double SCALE = 10;

  private ValueDifference() {}

  /** Q of every candidate in units of preference, {@code [candidates]}. */
  static double[] of(AgentKind kind, Weights weights, FeatureRows rows) {
    float[] network = of(kind, weights, rows.all(rows.after()), rows.all(rows.before()));
    double[] q = new double[network.length];
    for (int i = 0; i < q.length; i++) {
      q[i] = network[i] / SCALE;
    }
    return q;
  }

  /** Q of every row in the network's units; for a plain agent the value after alone. */
  static float[] of(AgentKind kind, Weights weights, Rows after, Rows before) {
    return of(kind, weights, after, before, () -> {});
  }

  /**
   * @param between called between the parts of it
   */
  static float[] of(AgentKind kind, Weights weights, Rows after, Rows before, Runnable between) {
    float[] q = Forward.run(weights, after, new Workspace(between));
    if (!kind.plain()) {
      float[] b = Forward.run(weights, before, new Workspace(between));
      for (int i = 0; i < q.length; i++) {
        q[i] -= b[i];
      }
    }
    return q;
  }

  /**
   * Largest correction of each candidate's preference: what misjudging its usage by {@code clip}
   * would change, {@code d clip / std} as in {@link PlacementCost}.
   */
  static double[] clips(double[] load, long[] power, double podCores, double clip) {
    double std = PlacementCost.spread(load);
    double[] clips = new double[load.length];
    for (int i = 0; i < clips.length; i++) {
      clips[i] = 1000 * podCores / power[i] * clip / std;
    }
    return clips;
  }
}
