package dev.berth.policy.gpu;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.PodRequests;

/**
 * A policy that knows cards: it also chooses them within a node, and it can score some of the nodes
 * alone. A score may depend on what the pod asks for, on the node's own state and on what {@link
 * #refreshContext} saw of the cluster, so that a caller may keep it until one of them changes
 * ({@link GpuPlacer}).
 *
 * <p>Thread rule: one thread at a time.
 */
public interface GpuPolicy extends Policy {
  /** A candidate without room scores below every other; kube-scheduler's filters let some pass. */
  double NO_ROOM = -1e9;

  /**
   * Scores the pod on {@code nodes[rows[0..count)]}, where it fits; higher is better.
   *
   * @param scores output, {@code scores[row]} for every row asked for
   */
  void score(PodRequests pod, GpuNode[] nodes, int[] rows, int count, double[] scores);

  /** Bit mask of the cards the pod should take on this node, where it fits. */
  int cards(PodRequests pod, GpuNode node);

  /**
   * Looks at the whole cluster before a choice; most policies have no need to.
   *
   * @param changes placements and removals so far
   * @return true if the context is another one now: scores made before are void
   */
  default boolean refreshContext(GpuNode[] nodes, int changes) {
    return false;
  }

  @Override
  default void score(Decision decision, double[] preferences) {
    PodRequests pod = decision.pod().requests();
    GpuNode[] nodes = GpuNode.of(decision.candidates());
    int[] rows = new int[nodes.length];
    int count = 0;
    for (int i = 0; i < nodes.length; i++) {
      if (nodes[i].misfit(pod) == Misfit.NONE) {
        rows[count++] = i;
      } else {
        preferences[i] = NO_ROOM;
      }
    }
    score(pod, nodes, rows, count, preferences);
  }

  /**
   * Card indices per candidate, in the candidates' order; an empty row where the pod asks for no
   * GPU or does not fit.
   */
  default int[][] cards(Decision decision) {
    PodRequests pod = decision.pod().requests();
    GpuNode[] nodes = GpuNode.of(decision.candidates());
    int[][] cards = new int[nodes.length][];
    for (int i = 0; i < nodes.length; i++) {
      boolean fits = pod.gpu().count() > 0 && nodes[i].misfit(pod) == Misfit.NONE;
      cards[i] = fits ? Cards.indices(cards(pod, nodes[i])) : new int[0];
    }
    return cards;
  }

  /** A policy that looks at one node at a time. */
  interface PerNode extends GpuPolicy {

    double score(PodRequests pod, GpuNode node);

    @Override
    default void score(PodRequests pod, GpuNode[] nodes, int[] rows, int count, double[] scores) {
      for (int i = 0; i < count; i++) {
        scores[rows[i]] = score(pod, nodes[rows[i]]);
      }
    }

    @Override
    default int cards(PodRequests pod, GpuNode node) {
      return Cards.bestFit(pod, node);
    }
  }
}
