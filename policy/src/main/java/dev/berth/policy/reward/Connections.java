package dev.berth.policy.reward;

import dev.berth.policy.Decision;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.policy.state.NodeColumns;
import java.util.Arrays;

/** The spread of TCP connections over the nodes (LC), in units of their mean. */
record Connections() implements RewardTerm.Delayed {
  private static final long ONE = 1000;

  @Override
  public String name() {
    return "connections";
  }

  @Override
  public double[] reading(Measurement m) {
    return m.samples().connections();
  }

  /** As for CPU: {@link PlacementCost#balance} on nodes that all count alike. */
  @Override
  public double[] increase(Measurement m) {
    double mean = Math.max(1, RewardTerm.mean(m.samples().connections()));
    double[] relative = new double[m.samples().connections().length];
    for (int i = 0; i < relative.length; i++) {
      relative[i] =
          Double.isNaN(m.samples().connections()[i]) ? 1 : m.samples().connections()[i] / mean;
    }
    long[] equal = new long[relative.length];
    Arrays.fill(equal, ONE);
    return PlacementCost.balance(relative, equal, m.samples().podConnections() / mean);
  }

  /** Connections against the mean, those of pods in flight reckoned in. */
  @Override
  public FeatureColumn featureColumn(Decision d) {
    NodeColumns columns = d.state().columns(d.candidates(), d.now());
    double perPod = perPod(d, columns);
    double[] before = new double[d.candidates().size()];
    double[] after = new double[before.length];
    double mean = Math.max(1, RewardTerm.mean(columns.connections()));
    for (int i = 0; i < before.length; i++) {
      double now = columns.connections()[i];
      double pending = perPod * d.candidates().pendingPods()[i];
      before[i] = Double.isNaN(now) ? 0 : (now + pending) / mean - 1;
      after[i] = Double.isNaN(now) ? 0 : before[i] + perPod / mean;
    }
    return new FeatureColumn(before, after);
  }

  @Override
  public boolean seen() {
    return true;
  }

  /** Mean connections of a pod on the candidates that are known; 0 if none is. */
  static double perPod(Decision d, NodeColumns columns) {
    double sum = 0;
    double pods = 0;
    for (int i = 0; i < columns.connections().length; i++) {
      if (!Double.isNaN(columns.connections()[i])) {
        sum += columns.connections()[i];
        pods += d.candidates().podCount()[i] - d.candidates().pendingPods()[i];
      }
    }
    return pods > 0 ? sum / pods : 0;
  }
}
