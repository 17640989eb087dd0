package dev.berth.policy.state;

import dev.berth.policy.state.NodeState.Deviation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Tells nodes that are slow from pods that differ by themselves, where the filter does not: where
 * pods are measured, and where it keeps no correlations (large clusters). A random-effects model: a
 * node's pods lie above their owners by the node's effect and by the mean of their own differences,
 * whose variance is known; what the nodes' means scatter beyond that is due to the nodes, and each
 * mean is shrunk by the part of its variance that is not. Where nodes are alike all effects are
 * exactly 1.
 *
 * <p>Without it a thousand equal nodes cost 6 % more, a hundred 2 % (ten seeds,
 * docs/evaluation.md); where two in five are slow it changes nothing that is clear.
 *
 * <p>Source: DerSimonian and Laird, "Meta-analysis in clinical trials" (1986), with nodes for
 * trials.
 */
final class NodeEffects {
  /** From two means nobody can tell what scatters. */
  private static final int MIN_NODES = 3;

  /** No node takes less than this of what others do. */
  private static final double MIN_EFFECT = 0.25;

  private NodeEffects() {}

  private record Found(NodeState node, Deviation deviation) {}

  /**
   * Sets the effect of every node.
   *
   * @param correlated whether slowness, as the filter has learned it, can be believed
   */
  static void estimate(Collection<NodeState> nodes, boolean correlated) {
    List<Found> all = new ArrayList<>(nodes.size());
    for (NodeState n : nodes) {
      Deviation d = n.deviation != null || correlated ? n.deviation : n.ofSlowness;
      n.effect(1, false);
      if (d != null) {
        all.add(new Found(n, d));
      }
    }
    double weights = 0;
    double squares = 0;
    double mean = 0;
    for (Found f : all) {
      weights += 1 / f.deviation.variance();
      squares += 1 / (f.deviation.variance() * f.deviation.variance());
      mean += f.deviation.mean() / f.deviation.variance();
    }
    mean /= weights;
    double scatter = 0;
    for (Found f : all) {
      double apart = f.deviation.mean() - mean;
      scatter += apart * apart / f.deviation.variance();
    }
    int count = all.size();
    double ofNodes =
        count < MIN_NODES
            ? 0
            : Math.max(0, (scatter - (count - 1)) / (weights - squares / weights));
    for (Found f : all) {
      double share = ofNodes / (ofNodes + f.deviation.variance());
      double due = 1 + share * (f.deviation.mean() - mean);
      f.node.effect(Math.max(MIN_EFFECT, due), f.node.deviation == null);
    }
  }
}
