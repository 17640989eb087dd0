package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * kube-scheduler's default profile for pods without preferences of their own: LeastAllocated +
 * BalancedAllocation, and, with spreading, twice PodTopologySpread under its system defaults
 * (hostname with skew 3, zone with skew 5), normalised as v1.36 {@code
 * podtopologyspread/scoring.go} does. The other default scorers give every node the same score
 * there.
 */
public final class DefaultProfile implements Policy {
  private static final int SPREAD_WEIGHT = 2;
  private static final int HOST_SKEW = 3;
  private static final int ZONE_SKEW = 5;

  private final boolean spreading;

  DefaultProfile(boolean spreading) {
    this.spreading = spreading;
  }

  @Override
  public String name() {
    return spreading ? "default-spread" : "default";
  }

  @Override
  public boolean forecasts() {
    return false;
  }

  @Override
  public void score(Decision d, double[] preferences) {
    if (spreading) {
      int[] ownerPods = d.state().ownerPods(d.pod().owner(), d.candidates());
      preferences(d.candidates(), d.pod(), ownerPods, preferences);
    } else {
      allocation(d.candidates(), d.pod(), preferences);
    }
  }

  /**
   * The profile with spreading, on any books: it needs no state.
   *
   * @param ownerPods pods of the pod's owner on each candidate, {@code [candidates]}
   * @param preferences its total scores, more is better, {@code [candidates]}
   */
  public static void preferences(
      Candidates candidates, Pod pod, int[] ownerPods, double[] preferences) {
    allocation(candidates, pod, preferences);
    long[] spread = spread(candidates.zones(), ownerPods);
    for (int i = 0; i < preferences.length; i++) {
      preferences[i] += SPREAD_WEIGHT * spread[i];
    }
  }

  private static void allocation(Candidates candidates, Pod pod, double[] preferences) {
    for (int i = 0; i < preferences.length; i++) {
      preferences[i] =
          Allocation.least(candidates, i, pod) + Allocation.balanced(candidates, i, pod);
    }
  }

  private static long[] spread(String[] zones, int[] onNode) {
    int n = zones.length;
    Map<String, Integer> inZone = new HashMap<>();
    Set<String> zoneNames = new HashSet<>();
    for (int i = 0; i < n; i++) {
      if (!zones[i].isEmpty()) {
        zoneNames.add(zones[i]);
        inZone.merge(zones[i], onNode[i], Integer::sum);
      }
    }
    double hostWeight = Math.log(n + 2);
    double zoneWeight = Math.log(zoneNames.size() + 2);
    long[] raw = new long[n];
    long least = Long.MAX_VALUE;
    long most = 0;
    for (int i = 0; i < n; i++) {
      double score = onNode[i] * hostWeight + HOST_SKEW - 1;
      if (!zones[i].isEmpty()) {
        score += inZone.getOrDefault(zones[i], 0) * zoneWeight + ZONE_SKEW - 1;
      }
      raw[i] = Math.round(score);
      least = Math.min(least, raw[i]);
      most = Math.max(most, raw[i]);
    }
    for (int i = 0; i < n; i++) {
      raw[i] = most == 0 ? 100 : 100 * (most + least - raw[i]) / most;
    }
    return raw;
  }
}
