package dev.berth.policy.gpu;

import dev.berth.policy.cluster.PodRequests;

/**
 * Fragmentation Gradient Descent (Weng et al., USENIX ATC 2023): place where the expected fragment
 * grows least, {@code sigmoid((F(before) - F(after)) / 1000) * 100} truncated to an integer; for a
 * shared card every card is tried. The truncation matters: with exact scores the default trace ends
 * a point lower, because ties (broken by a fixed node order) are what consolidates.
 */
public final class FragmentationGradient implements GpuPolicy.PerNode {
  private final Fragmentation fragmentation;

  public FragmentationGradient(TypicalPods typical) {
    this.fragmentation = new Fragmentation(typical);
  }

  @Override
  public String name() {
    return "fgd";
  }

  @Override
  public double score(PodRequests pod, GpuNode node) {
    double before = fragmentation.of(node);
    if (!pod.sharesCard()) {
      return score(pod, node, Cards.whole(pod, node), before);
    }
    double best = -1;
    for (int card = 0; card < node.cards(); card++) {
      if (Cards.worthTrying(pod, node, card)) {
        best = Math.max(best, score(pod, node, 1 << card, before));
      }
    }
    return best;
  }

  @Override
  public int cards(PodRequests pod, GpuNode node) {
    if (!pod.sharesCard()) {
      return Cards.whole(pod, node);
    }
    double before = fragmentation.of(node);
    double best = -1;
    int chosen = 0;
    for (int card = 0; card < node.cards(); card++) {
      if (node.freeMilli(card) >= pod.gpu().milli()) {
        double score = score(pod, node, 1 << card, before);
        if (score > best) {
          best = score;
          chosen = 1 << card;
        }
      }
    }
    return chosen;
  }

  private double score(PodRequests pod, GpuNode node, int cards, double before) {
    double after =
        fragmentation.of(node, cards, pod.gpu().milli(), node.freeCpuMilli() - pod.cpuMilli());
    return (long) (100 / (1 + Math.exp(-(before - after) / 1000)));
  }
}
