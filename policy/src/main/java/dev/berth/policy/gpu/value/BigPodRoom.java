package dev.berth.policy.gpu.value;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which multi-GPU pods a node still has room for, each weighted by how scarce such room is: the
 * pods of that shape expected at a demand of 100 %, over the places the empty cluster has for them,
 * at most 1. On openb 39 of 1,213 nodes can take an 8-GPU pod of 120 cores; weighted by demand
 * alone, smaller pods filled them first.
 *
 * <p>Thread rule: safe for all.
 */
public final class BigPodRoom {
  /** No multi-GPU pods. */
  public static final BigPodRoom NONE = new BigPodRoom(List.of(), List.of());

  /**
   * The largest pods count as if at least so many came per place: a workload with fewer of them
   * must not lose a larger share. A little below openb's 0.073, where the price was chosen.
   */
  private static final double MIN_SCARCITY = 0.07;

  private static final Need[] NOTHING = {};

  private final Map<String, Need[]> byModel = new HashMap<>();

  private record Need(int count, long cpuMilli, long memoryBytes, double scarcity) {

    boolean fits(int whole, long freeCpuMilli, long freeMemoryBytes) {
      return count <= whole && cpuMilli <= freeCpuMilli && memoryBytes <= freeMemoryBytes;
    }
  }

  /**
   * Room for these pods in this cluster.
   *
   * @param pods as they arrive
   * @param nodes all of the cluster, as they are when empty
   */
  public BigPodRoom(List<PodRequests> pods, List<GpuNode> nodes) {
    Map<PodRequests, Integer> big = new LinkedHashMap<>();
    double milli = 0;
    for (PodRequests pod : pods) {
      milli += pod.gpu().totalMilli();
      if (pod.gpu().count() > 1) {
        big.merge(pod, 1, Integer::sum);
      }
    }
    double capacityMilli = 0;
    Map<String, List<Need>> needs = new HashMap<>();
    for (GpuNode node : nodes) {
      capacityMilli += (double) node.cards() * GpuRequest.CARD_MILLI;
      needs.computeIfAbsent(node.model(), model -> new ArrayList<>());
    }
    int largest = big.keySet().stream().mapToInt(pod -> pod.gpu().count()).max().orElse(0);
    double scale = scale(big, largest, capacityMilli / milli, nodes);
    for (Map.Entry<PodRequests, Integer> entry : big.entrySet()) {
      PodRequests pod = entry.getKey();
      long places = nodes.stream().mapToLong(node -> places(pod, node)).sum();
      if (places > 0) {
        double expected = entry.getValue() * capacityMilli / milli;
        double scarcity =
            Math.min(1, expected / places * (pod.gpu().count() == largest ? scale : 1));
        Need need = new Need(pod.gpu().count(), pod.cpuMilli(), pod.memoryBytes(), scarcity);
        needs.forEach(
            (model, list) -> {
              if (accepts(pod, model)) {
                list.add(need);
              }
            });
      }
    }
    needs.forEach(
        (model, list) -> {
          list.sort(Comparator.comparingInt(Need::count));
          byModel.put(model, list.toArray(Need[]::new));
        });
  }

  /** How much dearer the largest pods' room is made where such pods are rare. */
  private static double scale(
      Map<PodRequests, Integer> big, int largest, double perListed, List<GpuNode> nodes) {
    double expected = 0;
    for (Map.Entry<PodRequests, Integer> entry : big.entrySet()) {
      expected += entry.getKey().gpu().count() == largest ? perListed * entry.getValue() : 0;
    }
    double places = nodes.stream().mapToInt(node -> node.cards() / Math.max(1, largest)).sum();
    return expected == 0 ? 1 : Math.max(1, MIN_SCARCITY * places / expected);
  }

  private static boolean accepts(PodRequests pod, String model) {
    return pod.gpu().models().isEmpty() || pod.gpu().models().contains(model);
  }

  /** How many such pods the empty node takes. */
  private static long places(PodRequests pod, GpuNode node) {
    if (!accepts(pod, node.model())) {
      return 0;
    }
    long places = node.cards() / pod.gpu().count();
    places = Math.min(places, node.cpuCapacityMilli() / Math.max(1, pod.cpuMilli()));
    return Math.min(places, node.memoryCapacityBytes() / Math.max(1, pod.memoryBytes()));
  }

  /**
   * Scarcity of what placing the pod takes away, summed over shapes; a shared card is taken from a
   * broken card if one fits.
   */
  public double lost(PodRequests pod, GpuNode node) {
    int whole = node.wholeFreeCards();
    if (whole < 2) {
      return 0;
    }
    int left = whole - (pod.sharesCard() && fitsBrokenCard(pod, node) ? 0 : pod.gpu().count());
    long cpu = node.freeCpuMilli();
    long memory = node.freeMemoryBytes();
    double lost = 0;
    for (Need need : byModel.getOrDefault(node.model(), NOTHING)) {
      if (need.count > whole) {
        break;
      }
      if (need.fits(whole, cpu, memory)
          && !need.fits(left, cpu - pod.cpuMilli(), memory - pod.memoryBytes())) {
        lost += need.scarcity;
      }
    }
    return lost;
  }

  private static boolean fitsBrokenCard(PodRequests pod, GpuNode node) {
    for (int card = 0; card < node.cards(); card++) {
      int free = node.freeMilli(card);
      if (free < GpuRequest.CARD_MILLI && free >= pod.gpu().milli()) {
        return true;
      }
    }
    return false;
  }
}
