package dev.berth.policy.gpu;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuColumns;

/**
 * A GPU scorer behind the interface of all policies: reads nodes and free cards from the columns of
 * a decision. A candidate without room scores below every other; kube-scheduler's filters do not
 * know about free milli per card, so such candidates do arrive.
 */
public final class GpuPolicy implements Policy, CardChooser {
  private static final double NO_ROOM = -1e9;

  private final GpuScorer scorer;

  public GpuPolicy(GpuScorer scorer) {
    this.scorer = scorer;
  }

  @Override
  public String name() {
    return scorer.name();
  }

  @Override
  public void score(Decision decision, double[] preferences) {
    PodShape pod = PodShape.of(decision.pod());
    GpuNode[] nodes = nodes(decision.candidates());
    int[] rows = new int[nodes.length];
    int count = 0;
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i].misfit(pod) == Misfit.NONE) {
        rows[count++] = i;
      } else {
        preferences[i] = NO_ROOM;
      }
    }
    scorer.score(pod, nodes, rows, count, preferences);
  }

  @Override
  public int[][] cards(Decision decision) {
    PodShape pod = PodShape.of(decision.pod());
    GpuNode[] nodes = nodes(decision.candidates());
    int[][] cards = new int[nodes.length][];
    for (int i = 0; i < nodes.length; i++) {
      boolean fits = pod.gpu().count() > 0 && nodes[i].misfit(pod) == Misfit.NONE;
      cards[i] = fits ? indices(scorer.cards(pod, nodes[i])) : new int[0];
    }
    return cards;
  }

  private static int[] indices(int mask) {
    int[] indices = new int[Integer.bitCount(mask)];
    for (int i = 0, rest = mask; rest != 0; rest &= rest - 1) {
      indices[i++] = Integer.numberOfTrailingZeros(rest);
    }
    return indices;
  }

  /** The candidates as nodes in use, {@code [candidates]}. */
  public static GpuNode[] nodes(Candidates candidates) {
    GpuColumns gpus = candidates.gpus();
    GpuNode[] nodes = new GpuNode[candidates.size()];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] =
          GpuNode.observed(
              candidates.names()[i],
              gpus == null ? "" : gpus.models()[i],
              gpus == null ? new int[0] : gpus.freeMilli()[i],
              candidates.cpuMilli()[i],
              candidates.memoryBytes()[i],
              candidates.cpuMilli()[i] - candidates.cpuRequestedMilli()[i],
              candidates.memoryBytes()[i] - candidates.memoryRequestedBytes()[i]);
    }
    return nodes;
  }
}
