package dev.berth.simulator.oracle;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.RunningPod;
import dev.berth.simulator.usage.Load;
import dev.berth.simulator.usage.OwnerProfile;
import dev.berth.simulator.usage.PodDemand;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

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
  private final Map<Load, double[]> factors = new IdentityHashMap<>();
  private final Map<String, NodeView> views = new HashMap<>();
  private double at = Double.NaN;

  /** Expected cores of one node per horizon, valid for one node version. */
  private record NodeView(int version, double[] cores) {}

  Oracle(String name, Knowledge knowledge, Cluster truth) {
    this.name = name;
    this.knowledge = knowledge;
    this.truth = truth;
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
    if (d.now() != at) {
      at = d.now();
      factors.clear();
      views.clear();
    }
    double[] horizons = knowledge.horizons();
    int n = preferences.length;
    double[][] before = new double[horizons.length][n];
    long[] power = new long[n]; // a slow node is a small one to a pod
    for (int i = 0; i < n; i++) {
      Node node = truth.node(d.candidates().names()[i]);
      double[] cores = cores(node);
      power[i] = Math.round(node.speed() * d.candidates().cpuMilli()[i]);
      for (int h = 0; h < horizons.length; h++) {
        before[h][i] = 1000 * cores[h] / d.candidates().cpuMilli()[i];
      }
    }
    Arrays.fill(preferences, 0);
    PodDemand pod = truth.usage().start(d.pod(), 0, at);
    double[] factor = factors(knowledge.loadToCome(pod));
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

  private double[] cores(Node node) {
    NodeView view = views.get(node.name());
    if (view != null && view.version() == node.version()) {
      return view.cores();
    }
    double[] horizons = knowledge.horizons();
    double[] sum = new double[horizons.length];
    Arrays.fill(sum, node.daemons().cpuCores());
    for (RunningPod pod : node.pods()) {
      double[] factor = factors(knowledge.load(pod.demand()));
      double typical = knowledge.typicalCores(pod.demand()) / node.speed();
      for (int h = 0; h < sum.length; h++) {
        sum[h] += typical * factor[h] * knowledge.survival(pod, at, horizons[h]);
      }
    }
    views.put(node.name(), new NodeView(node.version(), sum));
    return sum;
  }

  private double[] factors(Load load) {
    return factors.computeIfAbsent(
        load,
        l -> {
          double[] out = new double[knowledge.horizons().length];
          for (int h = 0; h < out.length; h++) {
            out[h] = knowledge.factor(l, at, knowledge.horizons()[h]);
          }
          return out;
        });
  }
}
