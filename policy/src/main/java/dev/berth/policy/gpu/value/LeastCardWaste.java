package dev.berth.policy.gpu.value;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.Cards;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.GpuPolicy;

/**
 * Puts a shared pod where the card loses least by {@link CardWaste}, and knows nothing else: among
 * cards about alike and for whole-GPU and CPU-only pods all nodes are equal, so with random ties it
 * places them at random. The behaviour whose fill-ups the value is learned from: random about
 * nodes, sensible about cards.
 *
 * <p>Thread rule: one thread at a time, as any policy.
 */
public final class LeastCardWaste implements GpuPolicy.PerNode {
  /** GPUs of waste that count as equal. */
  private static final double GRAIN = 0.1;

  private final CardWaste waste;

  public LeastCardWaste(WorkloadProfile workload) {
    this.waste = workload.cardWaste();
  }

  @Override
  public String name() {
    return "least-card-waste";
  }

  @Override
  public double score(PodRequests pod, GpuNode node) {
    if (!pod.sharesCard()) {
      return 0;
    }
    int card = bestCard(pod, node);
    return -Math.round(waste.causedBy(pod.gpu().milli(), node.freeMilli(card)) / GRAIN);
  }

  @Override
  public int cards(PodRequests pod, GpuNode node) {
    return pod.sharesCard() ? 1 << bestCard(pod, node) : Cards.whole(pod, node);
  }

  private int bestCard(PodRequests pod, GpuNode node) {
    int milli = pod.gpu().milli();
    int best = -1;
    for (int card = 0; card < node.cards(); card++) {
      int free = node.freeMilli(card);
      if (free >= milli
          && (best < 0
              || waste.causedBy(milli, free) < waste.causedBy(milli, node.freeMilli(best)))) {
        best = card;
      }
    }
    return best;
  }
}
