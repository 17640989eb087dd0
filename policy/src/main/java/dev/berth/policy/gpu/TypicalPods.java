package dev.berth.policy.gpu;

import dev.berth.policy.cluster.PodRequests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The most frequent shapes of a workload, as the fragmentation metric sees it: CPU, milli-GPU,
 * count and models (memory is left out, as published), CPU-only pods included.
 *
 * @param shapes most frequent first
 * @param popularity share of each shape, sums to 1
 */
public record TypicalPods(List<PodRequests> shapes, double[] popularity) {
  /** Share of the workload that the published configuration keeps. */
  public static final double PUBLISHED_COVERAGE = 0.95;

  /** Of equally frequent shapes the larger comes first, as published. */
  private static final Comparator<Map.Entry<PodRequests, Integer>> PUBLISHED_ORDER =
      Comparator.<Map.Entry<PodRequests, Integer>>comparingInt(Map.Entry::getValue)
          .thenComparingLong(e -> e.getKey().cpuMilli())
          .thenComparingInt(e -> e.getKey().gpu().milli())
          .thenComparingInt(e -> e.getKey().gpu().count())
          .thenComparing(e -> String.join("|", e.getKey().gpu().models()))
          .reversed();

  /** Keeps the most frequent shapes until they cover the given share of the pods. */
  public static TypicalPods of(List<PodRequests> pods, double coverage) {
    Map<PodRequests, Integer> counts = new HashMap<>();
    for (PodRequests pod : pods) {
      counts.merge(new PodRequests(pod.cpuMilli(), 0, pod.gpu()), 1, Integer::sum);
    }
    List<Map.Entry<PodRequests, Integer>> order = new ArrayList<>(counts.entrySet());
    order.sort(PUBLISHED_ORDER);
    List<PodRequests> kept = new ArrayList<>();
    int covered = 0;
    for (Map.Entry<PodRequests, Integer> entry : order) {
      if (covered >= coverage * pods.size()) {
        break;
      }
      covered += entry.getValue();
      kept.add(entry.getKey());
    }
    double[] popularity = new double[kept.size()];
    for (int i = 0; i < popularity.length; i++) {
      popularity[i] = (double) counts.getOrDefault(kept.get(i), 0) / covered;
    }
    return new TypicalPods(List.copyOf(kept), popularity);
  }

  public int size() {
    return shapes.size();
  }
}
