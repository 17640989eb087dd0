package dev.berth.policy.state;

import dev.berth.policy.state.NodeState.Deviation;
import java.util.Collection;

/**
 * Tells nodes that are slow from pods that differ by themselves, where pods are measured: a
 * random-effects model. A node's pods lie above their owners by the node's effect and by the mean
 * of their own differences, whose variance is known; what the nodes' means scatter beyond that is
 * due to the nodes, and each mean is shrunk by the part of its variance that is not. Where nodes
 * are alike all effects are exactly 1.
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

  /** Sets {@link NodeState#effect} of every node. */
  static void estimate(Collection<NodeState> nodes) {
    int count = 0;
    double weights = 0;
    double squares = 0;
    double mean = 0;
    for (NodeState n : nodes) {
      Deviation d = n.deviation;
      if (d != null) {
        count++;
        weights += 1 / d.variance();
        squares += 1 / (d.variance() * d.variance());
        mean += d.mean() / d.variance();
      }
    }
    mean /= weights;
    double scatter = 0;
    for (NodeState n : nodes) {
      Deviation d = n.deviation;
      scatter += d == null ? 0 : (d.mean() - mean) * (d.mean() - mean) / d.variance();
    }
    double ofNodes =
        count < MIN_NODES
            ? 0
            : Math.max(0, (scatter - (count - 1)) / (weights - squares / weights));
    for (NodeState n : nodes) {
      Deviation d = n.deviation;
      n.effect =
          d == null || ofNodes == 0
              ? 1
              : Math.max(MIN_EFFECT, 1 + ofNodes / (ofNodes + d.variance()) * (d.mean() - mean));
    }
  }
}
