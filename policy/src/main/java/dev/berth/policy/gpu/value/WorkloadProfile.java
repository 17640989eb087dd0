package dev.berth.policy.gpu.value;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a node's value may depend on besides the node: how the demand compares with the cluster.
 * Ratios only, so that any workload and any cluster size are on one scale.
 *
 * @param cpuTightness CPU asked per GPU asked, over the CPU per GPU the cluster has
 * @param memoryTightness the same for memory
 * @param sharedDemand share of GPU demand that asks for a part of a card
 * @param multiDemand share of GPU demand that asks for two cards or more
 * @param typedPressure by card model: demand that insists on a set of models, spread over the cards
 *     of that set, per card of this model at a demand of 100 %; 0 where nobody insists
 * @param bigPodRoom which multi-GPU pods there are
 * @param cardWaste what of a broken card these pods will never use
 */
public record WorkloadProfile(
    double cpuTightness,
    double memoryTightness,
    double sharedDemand,
    double multiDemand,
    Map<String, Double> typedPressure,
    BigPodRoom bigPodRoom,
    CardWaste cardWaste) {

  public WorkloadProfile {
    typedPressure = Map.copyOf(typedPressure);
  }

  /** The profile of pods as they arrive on nodes as they are when empty. */
  public static WorkloadProfile of(List<PodRequests> pods, List<GpuNode> nodes) {
    double cpuCapacity = 0;
    double memoryCapacity = 0;
    double cards = 0;
    Map<String, Double> cardsByModel = new HashMap<>();
    for (GpuNode node : nodes) {
      if (node.cards() > 0) {
        cpuCapacity += node.cpuCapacityMilli();
        memoryCapacity += node.memoryCapacityBytes();
        cards += node.cards();
        cardsByModel.merge(node.model(), (double) node.cards(), Double::sum);
      }
    }
    double cpu = 0;
    double memory = 0;
    double gpus = 0;
    double shared = 0;
    double multi = 0;
    Map<List<String>, Double> typed = new HashMap<>();
    for (PodRequests pod : pods) {
      double gpu = pod.gpu().totalMilli() / (double) GpuRequest.CARD_MILLI;
      cpu += pod.cpuMilli();
      memory += pod.memoryBytes();
      gpus += gpu;
      shared += pod.sharesCard() ? gpu : 0;
      multi += pod.gpu().count() > 1 ? gpu : 0;
      if (!pod.gpu().models().isEmpty()) {
        typed.merge(pod.gpu().models(), gpu, Double::sum);
      }
    }
    if (cards == 0 || gpus == 0) {
      return new WorkloadProfile(0, 0, 0, 0, Map.of(), BigPodRoom.NONE, CardWaste.NONE);
    }
    Map<String, Double> pressure = new HashMap<>();
    for (Map.Entry<List<String>, Double> entry : typed.entrySet()) {
      double accepted = 0;
      for (String model : entry.getKey()) {
        accepted += cardsByModel.getOrDefault(model, 0.0);
      }
      for (String model : entry.getKey()) {
        if (cardsByModel.containsKey(model)) {
          pressure.merge(model, entry.getValue() / gpus * cards / accepted, Double::sum);
        }
      }
    }
    return new WorkloadProfile(
        cpu / gpus / (cpuCapacity / cards),
        memory / gpus / (memoryCapacity / cards),
        shared / gpus,
        multi / gpus,
        pressure,
        new BigPodRoom(pods, nodes),
        new CardWaste(pods));
  }

  public double pressure(String model) {
    return typedPressure.getOrDefault(model, 0.0);
  }
}
