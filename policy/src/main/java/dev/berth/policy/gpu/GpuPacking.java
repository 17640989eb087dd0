package dev.berth.policy.gpu;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import java.util.Arrays;

/**
 * The packing rule of production GPU clusters (Weng et al., NSDI 2022): first cards already in use,
 * then free cards of a node in use, last an idle node. Integer scores of 0..100.
 */
public final class GpuPacking implements GpuPolicy.PerNode {

  @Override
  public String name() {
    return "gpu-packing";
  }

  @Override
  public double score(PodRequests pod, GpuNode node) {
    if (pod.gpu().count() == 0) {
      return 0;
    }
    int whole = node.wholeFreeCards();
    if (whole == node.cards()) {
      return Math.max(100 / 3 - whole, whole);
    }
    int[] ascending = new int[node.cards()];
    for (int card = 0; card < ascending.length; card++) {
      ascending[card] = node.freeMilli(card);
    }
    Arrays.sort(ascending);
    int missing = pod.gpu().count();
    int wholeUsed = 0;
    int freePercent = 0;
    for (int i = 0; i < ascending.length && missing > 0; i++) {
      if (ascending[i] >= pod.gpu().milli()) {
        missing--;
        freePercent += ascending[i] * 100 / GpuRequest.CARD_MILLI;
        if (ascending[i] == GpuRequest.CARD_MILLI) {
          wholeUsed++;
        }
      }
    }
    return wholeUsed > 0
        ? Math.max(100 / 2 - wholeUsed, 100 / 3)
        : Math.max(100 - freePercent / 10, 100 / 2);
  }
}
