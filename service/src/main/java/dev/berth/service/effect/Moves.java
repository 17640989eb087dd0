package dev.berth.service.effect;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pods that run elsewhere than they would without Berth, and by how much that changes each
 * node's books. Beyond a bound the eldest is taken to run where it would have. Not thread-safe.
 */
final class Moves {
  /** A pod, its two nodes, its part of the sums. */
  private static final int MOVE_BYTES = 600;

  static final int MAX_MOVES = (16 << 20) / MOVE_BYTES;

  /**
   * A pod that was moved.
   *
   * @param actual node it runs on
   * @param without node it would run on without Berth
   */
  record Move(Pod pod, String actual, String without) {}

  /** What a node would carry more without Berth; negative where it would carry less. */
  private static final class Shift {
    long cpuMilli;
    long memoryBytes;
    final Map<String, Integer> pods = new HashMap<>(2); // by owner, never 0

    int count() {
      return pods.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  private final LinkedHashMap<String, Move> running = new LinkedHashMap<>();
  private final Map<String, Shift> shifts = new HashMap<>();

  void add(Move move) {
    end(move.pod().uid());
    if (running.size() >= MAX_MOVES) {
      end(running.keySet().iterator().next());
    }
    running.put(move.pod().uid(), move);
    shift(move, 1);
  }

  /** The pod has ended, or was taken back. */
  void end(String uid) {
    Move move = running.remove(uid);
    if (move != null) {
      shift(move, -1);
    }
  }

  @Nullable Move of(String uid) {
    return running.get(uid);
  }

  private void shift(Move move, int sign) {
    shift(move.without(), move.pod(), sign);
    shift(move.actual(), move.pod(), -sign);
  }

  private void shift(String node, Pod pod, int sign) {
    Shift shift = shifts.computeIfAbsent(node, n -> new Shift());
    shift.cpuMilli += sign * pod.cpuMilli();
    shift.memoryBytes += sign * pod.memoryBytes();
    shift.pods.merge(pod.owner(), sign, (a, b) -> a + b == 0 ? null : a + b);
    if (shift.pods.isEmpty() && shift.cpuMilli == 0 && shift.memoryBytes == 0) {
      shifts.remove(node);
    }
  }

  /** The candidates as their books would be without Berth. */
  Candidates without(Candidates c) {
    long[] cpu = c.cpuRequestedMilli().clone();
    long[] memory = c.memoryRequestedBytes().clone();
    int[] pods = c.podCount().clone();
    for (int i = 0; i < cpu.length; i++) {
      Shift shift = shifts.get(c.names()[i]);
      if (shift != null) {
        cpu[i] = Math.max(0, cpu[i] + shift.cpuMilli);
        memory[i] = Math.max(0, memory[i] + shift.memoryBytes);
        pods[i] = Math.max(0, pods[i] + shift.count());
      }
    }
    return new Candidates(
        c.names(),
        c.cpuMilli(),
        c.memoryBytes(),
        c.podLimit(),
        cpu,
        memory,
        pods,
        c.pendingCpuMilli(),
        c.pendingMemoryBytes(),
        c.pendingPods(),
        c.zones(),
        c.racks(),
        c.gpus());
  }

  /**
   * An owner's pods on each node as they would be without Berth.
   *
   * @param actual as they are, {@code [nodes]}
   */
  int[] ownerPodsWithout(String owner, String[] nodes, int[] actual) {
    int[] pods = actual.clone();
    for (int i = 0; i < pods.length; i++) {
      Shift shift = shifts.get(nodes[i]);
      if (shift != null) {
        pods[i] = Math.max(0, pods[i] + shift.pods.getOrDefault(owner, 0));
      }
    }
    return pods;
  }

  /** Those that run. */
  List<Move> all() {
    return List.copyOf(running.values());
  }
}
