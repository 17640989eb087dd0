package dev.berth.simulator.oracle;

import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.RunningPod;
import dev.berth.simulator.usage.Load;
import java.util.Arrays;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * What nodes will use, as far as a kind of knowledge goes; worked out once for all that is asked at
 * an instant.
 */
final class TrueUsage {
  private final Knowledge knowledge;
  private final double[] horizons;
  private final Map<Load, double[]> factors = new IdentityHashMap<>();
  private final Map<String, NodeView> views = new HashMap<>();
  private double at = Double.NaN;

  /** Expected cores of one node per horizon, valid for one node version. */
  private record NodeView(int version, double[] cores) {}

  /**
   * @param horizons seconds after now
   */
  TrueUsage(Knowledge knowledge, double[] horizons) {
    this.knowledge = knowledge;
    this.horizons = horizons;
  }

  /** What is asked next is asked at this instant. */
  void at(double now) {
    if (now != at) {
      at = now;
      factors.clear();
      views.clear();
    }
  }

  /** Of the pods that the node has now, cores, {@code [horizons]}; not to be written to. */
  double[] cores(Node node) {
    NodeView view = views.get(node.name());
    if (view != null && view.version() == node.version()) {
      return view.cores();
    }
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

  /** Usage / typical usage under a load, {@code [horizons]}; not to be written to. */
  double[] factors(Load load) {
    return factors.computeIfAbsent(
        load,
        l -> {
          double[] out = new double[horizons.length];
          for (int h = 0; h < out.length; h++) {
            out[h] = knowledge.factor(l, at, horizons[h]);
          }
          return out;
        });
  }
}
