package dev.berth.policy.gpu.value;

import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.PodShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The share of the workload's multi-GPU demand that a node could still take: what is lost when a
 * small pod breaks a whole node.
 *
 * <p>Thread rule: safe for all.
 */
public final class BigPodRoom {
  private final List<PodShape> bigPods = new ArrayList<>();
  private final Map<String, Term[]> byModel = new ConcurrentHashMap<>();
  private double total;

  /**
   * Pods of one count.
   *
   * @param cpuMilli ascending CPU requests
   * @param share {@code share[i]}: share of multi-GPU demand with CPU up to {@code cpuMilli[i]}
   */
  private record Term(int count, long[] cpuMilli, double[] share) {}

  public BigPodRoom(List<PodShape> pods) {
    for (PodShape pod : pods) {
      if (pod.gpu().count() > 1) {
        bigPods.add(pod);
        total += pod.gpu().count();
      }
    }
  }

  /** 0..1: share of multi-GPU demand that fits on so many whole free cards and so much CPU. */
  public double of(String model, int wholeFree, long freeCpuMilli) {
    if (wholeFree < 2) {
      return 0;
    }
    double room = 0;
    for (Term term : byModel.computeIfAbsent(model, this::terms)) {
      if (term.count <= wholeFree) {
        int i = 0;
        while (i < term.cpuMilli.length && term.cpuMilli[i] <= freeCpuMilli) {
          i++;
        }
        room += i == 0 ? 0 : term.share[i - 1];
      }
    }
    return room;
  }

  /**
   * What placing the pod takes away, 0..1; a shared card is taken from a broken card if one fits.
   */
  public double lost(PodShape pod, GpuNode node) {
    int whole = node.wholeFreeCards();
    if (whole < 2) {
      return 0;
    }
    int taken = pod.sharesCard() && fitsBrokenCard(pod, node) ? 0 : pod.gpu().count();
    return of(node.model(), whole, node.freeCpuMilli())
        - of(node.model(), whole - taken, node.freeCpuMilli() - pod.cpuMilli());
  }

  private static boolean fitsBrokenCard(PodShape pod, GpuNode node) {
    for (int card = 0; card < node.cards(); card++) {
      int free = node.freeMilli(card);
      if (free < GpuNode.CARD_MILLI && free >= pod.gpu().milli()) {
        return true;
      }
    }
    return false;
  }

  private Term[] terms(String model) {
    Map<Integer, TreeMap<Long, Double>> byCount = new HashMap<>();
    for (PodShape pod : bigPods) {
      if (pod.gpu().models().isEmpty() || pod.gpu().models().contains(model)) {
        byCount
            .computeIfAbsent(pod.gpu().count(), k -> new TreeMap<>())
            .merge(pod.cpuMilli(), pod.gpu().count() / total, Double::sum);
      }
    }
    List<Term> terms = new ArrayList<>();
    byCount.forEach(
        (count, shares) -> {
          long[] cpu = shares.keySet().stream().mapToLong(Long::longValue).toArray();
          double[] share = shares.values().stream().mapToDouble(Double::doubleValue).toArray();
          for (int i = 1; i < share.length; i++) {
            share[i] += share[i - 1];
          }
          terms.add(new Term(count, cpu, share));
        });
    terms.sort((a, b) -> a.count - b.count);
    return terms.toArray(Term[]::new);
  }
}
