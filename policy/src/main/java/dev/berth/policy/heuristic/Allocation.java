package dev.berth.policy.heuristic;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;

/**
 * Integer arithmetic of kube-scheduler's NodeResourcesFit and NodeResourcesBalancedAllocation,
 * v1.36 {@code pkg/scheduler/framework/plugins/noderesources}; scores 0..100.
 */
final class Allocation {
  /** Requests assumed for a pod that names none: upstream's DefaultMilliCPURequest. */
  private static final long DEFAULT_CPU_MILLI = 100;

  private static final long DEFAULT_MEMORY_BYTES = 200L * 1024 * 1024;

  private Allocation() {}

  static long least(Candidates c, int i, Pod pod) {
    return (least(cpu(c, i, pod), c.cpuMilli()[i]) + least(memory(c, i, pod), c.memoryBytes()[i]))
        / 2;
  }

  static long most(Candidates c, int i, Pod pod) {
    return (most(cpu(c, i, pod), c.cpuMilli()[i]) + most(memory(c, i, pod), c.memoryBytes()[i]))
        / 2;
  }

  /** How the pod changes the balance of CPU and memory; about 75 where it changes little. */
  static long balanced(Candidates c, int i, Pod pod) {
    if (pod.cpuMilli() == 0 && pod.memoryBytes() == 0) {
      return 0;
    }
    long with =
        balance(
            c.cpuRequestedMilli()[i] + pod.cpuMilli(),
            c.cpuMilli()[i],
            c.memoryRequestedBytes()[i] + pod.memoryBytes(),
            c.memoryBytes()[i]);
    long without =
        balance(
            c.cpuRequestedMilli()[i],
            c.cpuMilli()[i],
            c.memoryRequestedBytes()[i],
            c.memoryBytes()[i]);
    return 50 + (50 + with - without) / 2;
  }

  private static long cpu(Candidates c, int i, Pod pod) {
    return c.cpuRequestedMilli()[i] + (pod.cpuMilli() == 0 ? DEFAULT_CPU_MILLI : pod.cpuMilli());
  }

  private static long memory(Candidates c, int i, Pod pod) {
    return c.memoryRequestedBytes()[i]
        + (pod.memoryBytes() == 0 ? DEFAULT_MEMORY_BYTES : pod.memoryBytes());
  }

  private static long least(long requested, long capacity) {
    return capacity == 0 || requested > capacity ? 0 : (capacity - requested) * 100 / capacity;
  }

  private static long most(long requested, long capacity) {
    return capacity == 0 ? 0 : Math.min(requested, capacity) * 100 / capacity;
  }

  private static long balance(long cpu, long cpuCapacity, long memory, long memoryCapacity) {
    if (cpuCapacity == 0 || memoryCapacity == 0) {
      return 100;
    }
    double f = Math.min(1, (double) cpu / cpuCapacity);
    double g = Math.min(1, (double) memory / memoryCapacity);
    return (long) ((1 - Math.abs((f - g) / 2)) * 100);
  }
}
