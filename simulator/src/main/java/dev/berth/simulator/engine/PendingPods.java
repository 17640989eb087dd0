package dev.berth.simulator.engine;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Pods of one node that no visible sample can show, and what they request. Every decision asks this
 * of every candidate: kept up to date where pods and samples come, it costs nothing there. Looking
 * at every pod of every candidate instead was an eighth of the suite's CPU.
 */
final class PendingPods {
  /** In the order of binding. */
  private final Deque<RunningPod> pods = new ArrayDeque<>();

  /** End of the newest visible sample's window: pods bound earlier are in it. */
  private double coveredUntil = Double.NEGATIVE_INFINITY;

  private long cpuMilli;
  private long memoryBytes;

  /** A pod was bound, none before those that are known. */
  void add(RunningPod pod) {
    if (pod.boundAt() >= coveredUntil) {
      pods.addLast(pod);
      cpuMilli += pod.spec().pod().cpuMilli();
      memoryBytes += pod.spec().pod().memoryBytes();
    }
  }

  void remove(RunningPod pod) {
    if (pod.boundAt() >= coveredUntil && pods.removeLastOccurrence(pod)) {
      forget(pod);
    }
  }

  /** A sample became visible whose window ends then; an older one than the last changes nothing. */
  void covered(double until) {
    coveredUntil = Math.max(coveredUntil, until);
    while (!pods.isEmpty() && pods.getFirst().boundAt() < coveredUntil) {
      forget(pods.removeFirst());
    }
  }

  private void forget(RunningPod pod) {
    cpuMilli -= pod.spec().pod().cpuMilli();
    memoryBytes -= pod.spec().pod().memoryBytes();
  }

  int count() {
    return pods.size();
  }

  long cpuMilli() {
    return cpuMilli;
  }

  long memoryBytes() {
    return memoryBytes;
  }
}
