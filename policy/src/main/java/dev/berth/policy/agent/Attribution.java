package dev.berth.policy.agent;

import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.features.FeatureSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which features moved a learned correction: what it loses when all candidates have the mean of one
 * feature instead of their own. The network is not linear, and its clip comes afterwards, so the
 * parts need not add up to the correction. As many passes through the network as there are
 * features: for whoever asks why, never while a pod waits.
 *
 * @param moved of the correction, {@code [features][candidates]}, units of preference
 */
public record Attribution(List<String> features, double[][] moved) {

  /** Of a decision that this policy made; reads no cluster state. */
  public static Attribution of(LearnedPolicy policy, DecisionState state) {
    AgentConfig config = policy.config();
    Map<String, int[]> columns = new LinkedHashMap<>(FeatureSchema.columns());
    List<String> added = config.task().rewards().seen();
    for (int i = 0; i < added.size(); i++) {
      columns.put(added.get(i), new int[] {FeatureSchema.SIZE + i});
    }
    double[][] moved = new double[columns.size()][state.base().length];
    if (policy.weights().silent()) {
      return new Attribution(new ArrayList<>(columns.keySet()), moved);
    }
    FeatureRows rows = state.rows().all();
    double[] whole = q(policy, rows);
    int at = 0;
    for (int[] feature : columns.values()) {
      double[] rest = q(policy, rows.levelled(feature));
      for (int i = 0; i < rest.length; i++) {
        rest[i] = whole[i] - rest[i];
      }
      moved[at++] = rest;
    }
    return new Attribution(new ArrayList<>(columns.keySet()), moved);
  }

  private static double[] q(LearnedPolicy policy, FeatureRows rows) {
    return ValueDifference.of(policy.config().kind(), policy.weights(), rows);
  }
}
