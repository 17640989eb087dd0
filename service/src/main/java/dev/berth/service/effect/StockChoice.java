package dev.berth.service.effect;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.heuristic.DefaultProfile;
import dev.berth.service.scoring.Without;
import java.util.ArrayList;
import java.util.List;

/** The candidates that the stock profile likes best; it picks one of them at random. */
final class StockChoice {
  private StockChoice() {}

  /**
   * What it would have done with a pod.
   *
   * @param c feasible candidates
   * @param there where the pod went, by position
   */
  static Without of(Candidates c, Pod pod, int[] ownerPods, int there) {
    double[] preferences = preferences(c, pod, ownerPods);
    List<Integer> best = best(preferences);
    int first = best.contains(there) ? there : best.get(0);
    return new Without( // the profile's sums are whole
        c.names()[first],
        Math.round(preferences[first]),
        Math.round(preferences[there]),
        best.size());
  }

  /** By position, of candidates of which some may be too full; none if all are. */
  static List<Integer> amongThoseThatFit(Candidates c, Pod pod, int[] ownerPods) {
    double[] preferences = preferences(c, pod, ownerPods);
    for (int i = 0; i < preferences.length; i++) {
      if (!c.hasRoom(i, pod)) {
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
