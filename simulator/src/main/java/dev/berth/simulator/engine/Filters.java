package dev.berth.simulator.engine;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.scenario.Taint;
import dev.berth.simulator.workload.PodSpec;
import java.util.Map;

/**
 * The real scheduler's filters as far as scenarios need them: NodeResourcesFit (CPU, memory, pod
 * count), TaintToleration (NoSchedule) and NodeAffinity (node selector).
 */
final class Filters {
  private Filters() {}

  static boolean feasible(PodSpec spec, Node node) {
    return fits(spec.pod(), node) && tolerated(spec, node) && selected(spec, node);
  }

  private static boolean fits(Pod pod, Node node) {
    return node.podCount() < node.podLimit()
        && (pod.cpuMilli() == 0 || node.cpuRequestedMilli() + pod.cpuMilli() <= node.cpuMilli())
        && (pod.memoryBytes() == 0
            || node.memoryRequestedBytes() + pod.memoryBytes() <= node.memoryBytes());
  }

  private static boolean tolerated(PodSpec spec, Node node) {
    for (Taint taint : node.taints()) {
      if (!spec.tolerations().contains(taint.key() + "=" + taint.value())) {
        return false;
      }
    }
    return true;
  }

  private static boolean selected(PodSpec spec, Node node) {
    for (Map.Entry<String, String> want : spec.nodeSelector().entrySet()) {
      if (!want.getValue().equals(node.labels().get(want.getKey()))) {
        return false;
      }
    }
    return true;
  }
}
