package dev.berth.policy.gpu;

import dev.berth.policy.cluster.PodRequests;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Nodes, a policy, and every score remembered until its node changes.
 *
 * <p>A placement changes one node, so for each shape only the nodes that changed since the shape
 * was last asked about are scored again: about 150 of 1,213 per decision on the openb trace, which
 * takes a full run from minutes to tenths of a second.
 *
 * <p>Thread rule: one owner.
 */
public final class GpuPlacer {
  private final GpuNode[] nodes;
  private final GpuPolicy policy;
  private final boolean randomTies;
  private final RandomGenerator random;
  private final Map<PodRequests, Scores> cache = new HashMap<>();
  private final int[] changed;
  private int changes;

  /** Scores of one shape; NaN where it does not fit. */
  private static final class Scores {
    final double[] values;
    final int[] versions;

    Scores(int nodes) {
      values = new double[nodes];
      versions = new int[nodes];
      Arrays.fill(versions, -1);
    }
  }

  public GpuPlacer(GpuNode[] nodes, GpuPolicy policy, TieRule ties, RandomGenerator random) {
    this.nodes = nodes;
    this.policy = policy;
    this.randomTies = ties == TieRule.RANDOM || policy instanceof RandomNode;
    this.random = random;
    this.changed = new int[nodes.length];
  }

  public int size() {
    return nodes.length;
  }

  /** Read only: change a node through {@link #place} and {@link #remove}. */
  public GpuNode node(int row) {
    return nodes[row];
  }

  /** The best node for this shape, or -1 if it fits nowhere. */
  public int choose(PodRequests pod) {
    double[] scores = scores(pod);
    int best = -1;
    int equals = 0;
    for (int row = 0; row < nodes.length; row++) {
      double score = scores[row];
      if (best < 0 ? !Double.isNaN(score) : score > scores[best]) {
        best = row;
        equals = 1;
      } else if (randomTies && best >= 0 && score == scores[best]) {
        if (random.nextInt(++equals) == 0) {
          best = row;
        }
      }
    }
    return best;
  }

  /** Scores by row, NaN where the pod does not fit; read only, valid until the next call. */
  public double[] scores(PodRequests pod) {
    if (policy.refreshContext(nodes, changes)) {
      cache.clear();
    }
    Scores scores = cache.computeIfAbsent(pod, shape -> new Scores(nodes.length));
    int count = 0;
    for (int row = 0; row < nodes.length; row++) {
      if (scores.versions[row] != nodes[row].version()) {
        scores.versions[row] = nodes[row].version();
        if (nodes[row].misfit(pod) == Misfit.NONE) {
          changed[count++] = row;
        } else {
          scores.values[row] = Double.NaN;
        }
      }
    }
    if (count > 0) {
      policy.score(pod, nodes, changed, count, scores.values);
    }
    return scores.values;
  }

  /** Places the pod on the policy's choice of cards and returns them as a bit mask. */
  public int place(int row, PodRequests pod) {
    int cards = policy.cards(pod, nodes[row]);
    nodes[row].place(pod, cards);
    changes++;
    return cards;
  }

  public void remove(int row, PodRequests pod, int cards) {
    nodes[row].remove(pod, cards);
    changes++;
  }

  /** What was missing where the pod came furthest; {@link Misfit#NONE} if it fits somewhere. */
  public Misfit misfit(PodRequests pod) {
    Misfit furthest = Misfit.MODEL;
    for (GpuNode node : nodes) {
      Misfit misfit = node.misfit(pod);
      if (misfit.compareTo(furthest) > 0) {
        furthest = misfit;
      }
    }
    return furthest;
  }
}
