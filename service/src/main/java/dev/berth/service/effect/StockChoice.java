package dev.berth.service.effect;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.heuristic.DefaultProfile;
import java.util.ArrayList;
import java.util.List;

/**
 * The candidates that the stock profile likes best, by position; it picks one of them at random.
 */
final class StockChoice {
  private StockChoice() {}

  /** Of feasible candidates. */
  static List<Integer> among(Candidates c, Pod pod, int[] ownerPods) {
    return best(preferences(c, pod, ownerPods));
  }

  /** Of candidates of which some may be too full; none if all are. */
  static List<Integer> amongThoseThatFit(Candidates c, Pod pod, int[] ownerPods) {
    double[] preferences = preferences(c, pod, ownerPods);
    for (int i = 0; i < preferences.length; i++) {
      if (!fits(c, i, pod)) {
        preferences[i] = Double.NEGATIVE_INFINITY;
      }
    }
    return best(preferences);
  }

  private static double[] preferences(Candidates c, Pod pod, int[] ownerPods) {
    double[] preferences = new double[c.size()];
    DefaultProfile.preferences(c, pod, ownerPods, preferences);
    return preferences;
  }

  private static boolean fits(Candidates c, int i, Pod pod) {
    return c.cpuRequestedMilli()[i] + pod.cpuMilli() <= c.cpuMilli()[i]
        && c.memoryRequestedBytes()[i] + pod.memoryBytes() <= c.memoryBytes()[i]
        && c.podCount()[i] < c.podLimit()[i];
  }

  private static List<Integer> best(double[] preferences) {
    List<Integer> best = new ArrayList<>();
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < preferences.length; i++) {
      if (preferences[i] > most) {
        most = preferences[i];
        best.clear();
      }
      if (preferences[i] == most && most > Double.NEGATIVE_INFINITY) {
        best.add(i);
      }
    }
    return best;
  }
}
