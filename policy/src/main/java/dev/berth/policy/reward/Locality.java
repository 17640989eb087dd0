package dev.berth.policy.reward;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Candidates;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How far the pod stands from the other pods of its owner, 0 (same node) to 1: thirds for another
 * node, another rack, another zone. A negative weight spreads them instead.
 *
 * <p>Says nothing of the first pod of an owner, nor of a node without a rack label where others
 * have one. Sees the owner's pods on candidates only: those on nodes without room are not counted.
 */
record Locality() implements RewardTerm.Immediate {
  private static final double STEPS = 3;

  @Override
  public String name() {
    return "locality";
  }

  @Override
  public double[] increase(Decision d) {
    Candidates c = d.candidates();
    int[] pods = RewardTerm.ownerPods(d);
    double[] out = new double[c.size()];
    int total = Arrays.stream(pods).sum();
    if (total == 0) {
      Arrays.fill(out, Double.NaN);
      return out;
    }
    boolean labelled = Arrays.stream(c.racks()).anyMatch(rack -> !rack.isEmpty());
    Map<String, Integer> inZone = new HashMap<>();
    Map<String, Integer> inRack = new HashMap<>();
    for (int i = 0; i < pods.length; i++) {
      inZone.merge(c.zones()[i], pods[i], Integer::sum);
      inRack.merge(rack(c, i), pods[i], Integer::sum);
    }
    for (int i = 0; i < out.length; i++) {
      boolean unknown = labelled && c.racks()[i].isEmpty();
      int near =
          pods[i] + inRack.getOrDefault(rack(c, i), 0) + inZone.getOrDefault(c.zones()[i], 0);
      out[i] = unknown ? Double.NaN : 1 - near / (STEPS * total);
    }
    return out;
  }

  /** Racks of two zones may have one name; without labels every node is a rack of its own. */
  private static String rack(Candidates c, int i) {
    return c.racks()[i].isEmpty()
        ? "node " + c.names()[i]
        : "rack " + c.zones()[i] + " " + c.racks()[i];
  }

  /** Nearness to the owner's pods, as a value that only the pod's coming brings. */
  @Override
  public FeatureColumn featureColumn(Decision d) {
    double[] distance = increase(d);
    double usual = RewardTerm.mean(distance);
    double[] after = new double[distance.length];
    for (int i = 0; i < after.length; i++) {
      double known = Double.isNaN(distance[i]) ? usual : distance[i];
      after[i] = Double.isNaN(known) ? 0 : 1 - known;
    }
    return new FeatureColumn(new double[after.length], after);
  }

  @Override
  public boolean seen() {
    return true;
  }
}
