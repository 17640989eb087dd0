package dev.berth.simulator.rival;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.rival.Koordlet.NodeMetric;
import dev.berth.simulator.rival.Koordlet.Used;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One node in koordinator's pod assign cache: the last report, and what it does not show yet. A
 * pod's estimate counts, as far as it exceeds the pod's measured use, when the report does not know
 * the pod or the pod was assigned later than one report interval before it.
 *
 * <p>Follows koordinator v1.8.0 {@code plugins/loadaware/pod_assign_cache.go} ({@code addPod}) and
 * {@code estimator/default_estimator.go}, with the defaults of {@code LoadAwareSchedulingArgs}.
 */
final class NodeLoad {
  private static final long CPU_PERCENT = 85;
  private static final long MEMORY_PERCENT = 70;
  private static final long BEST_EFFORT_MILLI = 250;
  private static final long BEST_EFFORT_BYTES = 200L << 20;

  private final double reportSeconds;
  private final Map<String, Assigned> pods = new HashMap<>();
  private @Nullable NodeMetric metric;
  private double reportedAt = Double.NEGATIVE_INFINITY;

  // By the last report, with what it does not show: every decision asks this of every node.
  private long usedMilli;
  private long usedBytes;

  private record Assigned(double at, Used estimate) {}

  NodeLoad(double reportSeconds) {
    this.reportSeconds = reportSeconds;
  }

  /** What a pod is taken to use before it is measured. */
  static Used estimate(Pod pod) {
    return new Used(
        pod.cpuMilli() == 0
            ? BEST_EFFORT_MILLI
            : Math.round(pod.cpuMilli() * (double) CPU_PERCENT / 100),
        pod.memoryBytes() == 0
            ? BEST_EFFORT_BYTES
            : Math.round(pod.memoryBytes() * (double) MEMORY_PERCENT / 100));
  }

  void assign(Pod pod, double at) {
    Assigned assigned = new Assigned(at, estimate(pod));
    pods.put(pod.uid(), assigned);
    count(pod.uid(), assigned, 1);
  }

  void unassign(String uid) {
    Assigned assigned = pods.remove(uid);
    if (assigned != null) {
      count(uid, assigned, -1);
    }
  }

  void report(NodeMetric newMetric) {
    metric = newMetric;
    reportedAt = newMetric.updateTime();
    usedMilli = newMetric.node().cpuMilli();
    usedBytes = newMetric.node().memoryBytes();
    pods.forEach((uid, assigned) -> count(uid, assigned, 1));
  }

  private void count(String uid, Assigned pod, int sign) {
    NodeMetric known = metric;
    if (known == null) {
      return;
    }
    Used used = known.pods().get(uid);
    if (used == null || known.updateTime() - reportSeconds < pod.at()) {
      long milli = used == null ? 0 : used.cpuMilli();
      long bytes = used == null ? 0 : used.memoryBytes();
      usedMilli += sign * Math.max(0, pod.estimate().cpuMilli() - milli);
      usedBytes += sign * Math.max(0, pod.estimate().memoryBytes() - bytes);
    }
  }

  /** Seconds since the last report; infinite without one. */
  double age(double now) {
    return now - reportedAt;
  }

  /** Whether the node has ever reported. */
  boolean known() {
    return metric != null;
  }

  /** Reported use, what the report does not show yet, and the pod that is to come. */
  Used with(Pod pod) {
    Used own = estimate(pod);
    return new Used(usedMilli + own.cpuMilli(), usedBytes + own.memoryBytes());
  }
}
