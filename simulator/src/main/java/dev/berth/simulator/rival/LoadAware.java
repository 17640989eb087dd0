package dev.berth.simulator.rival;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.NodeFilter;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.rival.Koordlet.NodeMetric;
import dev.berth.simulator.rival.Koordlet.Used;
import java.util.HashMap;
import java.util.Map;

/**
 * koordinator's LoadAwareScheduling: least used of CPU and memory, 1:1, over reported use,
 * estimates of pods that no report shows yet and the pod to place; and a filter at 65 % of CPU and
 * 95 % of memory. A node that never reported passes with score 0; one whose report is older than
 * three minutes takes no pods.
 *
 * <p>Follows koordinator v1.8.0 {@code plugins/loadaware/load_aware.go} with the defaults of {@code
 * LoadAwareSchedulingArgs} ({@code apis/config/v1/defaults.go}); its own manifest switches the
 * filter off ({@code usageThresholds} of 0).
 */
final class LoadAware implements Policy, NodeFilter, SimulationListener {
  private static final double EXPIRES_SECONDS = 180;
  private static final long CPU_PERCENT = 65;
  private static final long MEMORY_PERCENT = 95;

  private final String name;
  private final Koordlet koordlet;
  private final boolean filtering;
  private final Koordlet.Fleet fleet;
  private final Map<String, NodeLoad> nodes = new HashMap<>();

  /**
   * Makes one for one run.
   *
   * @param filtering whether usage thresholds are on
   */
  LoadAware(String name, Koordlet koordlet, boolean filtering) {
    this.name = name;
    this.koordlet = koordlet;
    this.filtering = filtering;
    this.fleet = new Koordlet.Fleet(koordlet);
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
    Candidates c = d.candidates();
    for (int i = 0; i < preferences.length; i++) {
      NodeLoad node = node(c.names()[i]);
      Used used = node.with(d.pod());
      preferences[i] =
          node.age(d.now()) >= EXPIRES_SECONDS
              ? 0
              : (least(used.cpuMilli(), c.cpuMilli()[i])
                      + least(used.memoryBytes(), c.memoryBytes()[i]))
                  / 2;
    }
  }

  @Override
  public boolean admits(Pod pod, Node node, double now) {
    NodeLoad load = node(node.name());
    if (!filtering || !load.known()) {
      return true;
    }
    Used used = load.with(pod);
    return load.age(now) < EXPIRES_SECONDS
        && percent(used.cpuMilli(), node.cpuMilli()) <= CPU_PERCENT
        && percent(used.memoryBytes(), node.memoryBytes()) <= MEMORY_PERCENT;
  }

  @Override
  public void bound(Pod pod, String node, double at) {
    node(node).assign(pod, at);
  }

  @Override
  public void gone(Pod pod, String node, double at) {
    node(node).unassign(pod.uid());
  }

  @Override
  public void nodeGone(String node, double at) {
    nodes.remove(node);
    fleet.nodeGone(node);
  }

  @Override
  public void advanced(Cluster truth, double from, double seconds) {
    fleet.advanced(truth, from, seconds, this::report);
  }

  void report(String node, NodeMetric metric) {
    node(node).report(metric);
  }

  private NodeLoad node(String name) {
    NodeLoad known = nodes.get(name);
    if (known == null) {
      known = new NodeLoad(koordlet.reportSeconds());
      nodes.put(name, known);
    }
    return known;
  }

  private static long least(long used, long capacity) {
    return capacity == 0 || used > capacity ? 0 : (capacity - used) * 100 / capacity;
  }

  private static long percent(long used, long capacity) {
    return capacity == 0 ? 0 : Math.round(100.0 * used / capacity);
  }
}
