package dev.berth.policy.gpu;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Ways to choose cards within a node, as bit masks; the pod must fit. */
public final class Cards {

  private Cards() {}

  /** What placing a pod on each of some sets of cards is worth; larger is better. */
  @FunctionalInterface
  public interface Worth {

    /**
     * All at once, as a network likes it.
     *
     * @param masks sets of cards, {@code [options]}
     * @return {@code [>= options]}; what lies behind the last option is not read
     */
    float[] of(int[] masks);
  }

  /** The card that is worth most, the lowest index among equals, or the first whole free cards. */
  public static int worthMost(PodRequests pod, GpuNode node, Worth worth) {
    if (!pod.sharesCard()) {
      return whole(pod, node);
    }
    int[] masks =
        IntStream.range(0, node.cards())
            .filter(card -> worthTrying(pod, node, card))
            .map(card -> 1 << card)
            .toArray();
    if (masks.length == 1) {
      return masks[0];
    }
    float[] values = worth.of(masks);
    int best = 0;
    for (int i = 1; i < masks.length; i++) {
      if (values[i] > values[best]) {
        best = i;
      }
    }
    return masks[best];
  }

  /**
   * The fullest card that has room, or the first whole free cards; the lowest index among equals.
   */
  public static int bestFit(PodRequests pod, GpuNode node) {
    if (!pod.sharesCard()) {
      return whole(pod, node);
    }
    int best = -1;
    for (int card = 0; card < node.cards(); card++) {
      int free = node.freeMilli(card);
      if (free >= pod.gpu().milli() && (best < 0 || free < node.freeMilli(best))) {
        best = card;
      }
    }
    return 1 << best;
  }

  /** The first whole free cards; no card for a CPU-only pod. */
  public static int whole(PodRequests pod, GpuNode node) {
    int mask = 0;
    int missing = pod.gpu().count();
    for (int card = 0; card < node.cards() && missing > 0; card++) {
      if (node.freeMilli(card) == GpuRequest.CARD_MILLI) {
        mask |= 1 << card;
        missing--;
      }
    }
    return mask;
  }

  /** The cards of a mask, lowest first. */
  static int[] indices(int mask) {
    int[] indices = new int[Integer.bitCount(mask)];
    for (int i = 0, rest = mask; rest != 0; rest &= rest - 1) {
      indices[i++] = Integer.numberOfTrailingZeros(rest);
    }
    return indices;
  }

  /** Any card that has room, or the first whole free cards. */
  public static int random(PodRequests pod, GpuNode node, RandomGenerator random) {
    if (!pod.sharesCard()) {
      return whole(pod, node);
    }
    int chosen = -1;
    int seen = 0;
    for (int card = 0; card < node.cards(); card++) {
      if (node.freeMilli(card) >= pod.gpu().milli() && random.nextInt(++seen) == 0) {
        chosen = card;
      }
    }
    return 1 << chosen;
  }

  /**
   * True if a shared pod has room on the card and no earlier card has exactly as much free:
   * choosing between such two changes nothing, so only the first is worth scoring.
   */
  public static boolean worthTrying(PodRequests pod, GpuNode node, int card) {
    return node.freeMilli(card) >= pod.gpu().milli() && !repeatsEarlier(node, card);
  }

  private static boolean repeatsEarlier(GpuNode node, int card) {
    for (int earlier = 0; earlier < card; earlier++) {
      if (node.freeMilli(earlier) == node.freeMilli(card)) {
        return true;
      }
    }
    return false;
  }
}
