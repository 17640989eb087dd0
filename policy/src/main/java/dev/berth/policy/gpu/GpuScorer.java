package dev.berth.policy.gpu;

/**
 * Ranks nodes for a pod and chooses the cards within the node that won. A score may depend on the
 * pod's shape, the node's own state and what {@link #look} saw of the cluster, so that it stays
 * valid until one of them changes.
 *
 * <p>Thread rule: one thread at a time.
 */
public interface GpuScorer {

  /** Kebab-case name, as given to {@code --policies}. */
  String name();

  /**
   * Scores the pod on {@code nodes[rows[0..count)]}, where it fits; higher is better.
   *
   * @param scores output, {@code scores[row]} for every row asked for
   */
  void score(PodShape pod, GpuNode[] nodes, int[] rows, int count, double[] scores);

  /**
   * Looks at the whole cluster before a choice; most scorers have no need to.
   *
   * @param changes placements and removals so far
   * @return true if the scorer now sees the cluster in another light: scores made before are void
   */
  default boolean look(GpuNode[] nodes, int changes) {
    return false;
  }

  /** Bit mask of the cards the pod should take on this node, where it fits. */
  int cards(PodShape pod, GpuNode node);

  /** A scorer that looks at one node at a time. */
  interface PerNode extends GpuScorer {

    double score(PodShape pod, GpuNode node);

    @Override
    default void score(PodShape pod, GpuNode[] nodes, int[] rows, int count, double[] scores) {
      for (int i = 0; i < count; i++) {
        scores[rows[i]] = score(pod, nodes[rows[i]]);
      }
    }

    @Override
    default int cards(PodShape pod, GpuNode node) {
      return Cards.bestFit(pod, node);
    }
  }
}
