package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
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
final class DefaultProfile implements Policy {
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
    for (int i = 0; i < preferences.length; i++) {
      preferences[i] =
          Allocation.least(d.candidates(), i, d.pod())
              + Allocation.balanced(d.candidates(), i, d.pod());
    }
    if (spreading) {
      long[] spread = spread(d);
      for (int i = 0; i < preferences.length; i++) {
        preferences[i] += SPREAD_WEIGHT * spread[i];
      }
    }
  }

  private static long[] spread(Decision d) {
    String[] zones = d.candidates().zones();
    int n = zones.length;
    int[] onNode = d.state().ownerPods(d.pod().owner(), d.candidates());
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
