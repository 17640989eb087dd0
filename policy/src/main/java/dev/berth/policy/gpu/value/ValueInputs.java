package dev.berth.policy.gpu.value;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.gpu.GpuNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What the value network sees: {@link NodeFeatures}, and the {@link CardWaste} of the node's broken
 * cards, which tells a remainder that will be used from one that will not.
 */
public final class ValueInputs {
  /** In order; a model file carries a hash of them and is refused if they changed. */
  static final List<String> NAMES = names();

  public static final int COUNT = NAMES.size();

  private static final int WASTE = NodeFeatures.COUNT;

  private ValueInputs() {}

  /** As {@link NodeFeatures#write}, one input more. */
  static void write(
      GpuNode node,
      int cards,
      int taken,
      long cpuMilli,
      long memoryBytes,
      WorkloadProfile workload,
      float[] out,
      int start) {
    NodeFeatures.write(node, cards, taken, cpuMilli, memoryBytes, workload, out, start);
    double waste = 0;
    for (int card = 0; card < node.cards(); card++) {
      int free = node.freeMilli(card) - ((cards >>> card & 1) != 0 ? taken : 0);
      if (free < GpuRequest.CARD_MILLI) {
        waste += workload.cardWaste().of(free);
      }
    }
    out[start + WASTE] = (float) (waste * 2);
  }

  private static List<String> names() {
    List<String> names = new ArrayList<>(NodeFeatures.NAMES);
    names.add("card-waste");
    return List.copyOf(names);
  }
}
