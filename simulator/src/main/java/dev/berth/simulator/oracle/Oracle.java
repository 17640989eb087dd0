package dev.berth.simulator.oracle;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.usage.OwnerProfile;
import dev.berth.simulator.usage.PodDemand;
import java.util.Arrays;

/**
 * Greedy on the same cost as predict-then-greedy, with the truth in place of a prediction: the
 * difference between the two is what better information could still bring.
 */
final class Oracle implements Policy {
  /** What even the truth does not hold: the AR(1) noise of the pods on a node. */
  private static final double ERROR = 0.03;

  private final String name;
  private final Knowledge knowledge;
  private final Cluster truth;
  private final TrueUsage usage;

  Oracle(String name, Knowledge knowledge, Cluster truth) {
    this.name = name;
    this.knowledge = knowledge;
    this.truth = truth;
    this.usage = new TrueUsage(knowledge, knowledge.horizons());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean forecasts() {
    return false;
  }

  @Override
  public void score(Decision d, double[] preferences) {
    usage.at(d.now());
    double[] horizons = knowledge.horizons();
    int n = preferences.length;
    double[][] before = new double[horizons.length][n];
    long[] power = new long[n]; // a slow node is a small one to a pod
    for (int i = 0; i < n; i++) {
      Node node = truth.node(d.candidates().names()[i]);
      double[] cores = usage.cores(node);
      power[i] = Math.round(node.speed() * d.candidates().cpuMilli()[i]);
      for (int h = 0; h < horizons.length; h++) {
        before[h][i] = 1000 * cores[h] / d.candidates().cpuMilli()[i];
      }
    }
    Arrays.fill(preferences, 0);
    PodDemand pod = truth.usage().start(d.pod(), 0, d.now());
    double[] factor = usage.factors(knowledge.loadToCome(pod));
    double[] survival = survival(d, pod.owner());
    double total = Arrays.stream(survival).sum();
    for (int h = 0; h < horizons.length; h++) {
      PlacementCost.increase(
          before[h],
          power,
          knowledge.typicalCoresToCome(pod) * factor[h],
          ERROR,
          -survival[h] / total,
          preferences);
    }
  }

  /** Chance that the pod itself still lives; its own end is not known to any oracle. */
  private double[] survival(Decision d, OwnerProfile owner) {
    double[] out = new double[knowledge.horizons().length];
    var law = truth.usage().parameters().lifetimeOf(d.pod().owner());
    for (int h = 0; h < out.length; h++) {
      out[h] = law.survives(owner.meanLifetime(), 0, knowledge.horizons()[h]);
    }
    return out;
  }
}
