package dev.berth.simulator.engine;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.Ties;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.state.ClusterState;
import dev.berth.simulator.usage.Draws;
import dev.berth.simulator.workload.PodSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One pod's way through the scheduler: filter, score, pick. Like kube-scheduler it looks at a
 * sample of nodes in large clusters, starts each search where the last one ended, and asks no
 * scorer when only one node fits.
 */
final class SchedulingCycle {
  private final Cluster cluster;
  private final long seed;
  private final int percentage;
  private int start;

  SchedulingCycle(Cluster cluster, long seed, int percentage) {
    this.cluster = cluster;
    this.seed = seed;
    this.percentage = percentage;
  }

  /** A node was found. */
  record Placement(Node node, @Nullable Decision decision, double[] preferences, int chosen) {}

  /**
   * Chooses a node, or null when none is feasible.
   *
   * @param state what the policy knows of the cluster
   */
  @Nullable Placement place(PodSpec spec, Policy policy, ClusterState state, double now) {
    List<Node> feasible = filter(spec, policy, now);
    if (feasible.isEmpty()) {
      return null;
    }
    if (feasible.size() == 1) {
      return new Placement(feasible.get(0), null, new double[0], 0);
    }
    Decision decision = new Decision(now, spec.pod(), columns(feasible), state);
    double[] preferences = new double[feasible.size()];
    if (policy.forecasts()) {
      state.deciding(decision.candidates(), now);
    }
    policy.score(decision, preferences);
    int chosen = pick(policy, spec, feasible, preferences);
    return new Placement(feasible.get(chosen), decision, preferences, chosen);
  }

  private List<Node> filter(PodSpec spec, Policy policy, double now) {
    NodeFilter own = policy instanceof NodeFilter filter ? filter : (pod, node, at) -> true;
    List<Node> nodes = cluster.nodes();
    int wanted = nodesToFind(nodes.size());
    List<Node> feasible = new ArrayList<>(wanted);
    int looked = 0;
    for (int next = start; looked < nodes.size() && feasible.size() < wanted; looked++) {
      next = next < nodes.size() ? next : 0;
      Node node = nodes.get(next++);
      if (Filters.feasible(spec, node) && own.admits(spec.pod(), node, now)) {
        feasible.add(node);
      }
    }
    start = nodes.isEmpty() ? 0 : (start + looked) % nodes.size();
    return feasible;
  }

  /** kube-scheduler's numFeasibleNodesToFind. */
  private int nodesToFind(int nodes) {
    if (nodes < 100 || percentage >= 100) {
      return nodes;
    }
    int share = percentage > 0 ? percentage : Math.max(5, 50 - nodes / 125);
    return Math.max(100, nodes * share / 100);
  }

  private static Candidates columns(List<Node> nodes) {
    int n = nodes.size();
    String[] names = new String[n];
    long[] cpu = new long[n];
    long[] memory = new long[n];
    int[] limit = new int[n];
    long[] cpuRequested = new long[n];
    long[] memoryRequested = new long[n];
    int[] pods = new int[n];
    long[] pendingCpu = new long[n];
    long[] pendingMemory = new long[n];
    int[] pendingPods = new int[n];
    String[] zones = new String[n];
    String[] racks = new String[n];
    for (int i = 0; i < n; i++) {
      Node node = nodes.get(i);
      names[i] = node.name();
      cpu[i] = node.cpuMilli();
      memory[i] = node.memoryBytes();
      limit[i] = node.podLimit();
      cpuRequested[i] = node.cpuRequestedMilli();
      memoryRequested[i] = node.memoryRequestedBytes();
      pods[i] = node.podCount();
      zones[i] = node.zone();
      racks[i] = node.rack();
      pendingCpu[i] = node.pending().cpuMilli();
      pendingMemory[i] = node.pending().memoryBytes();
      pendingPods[i] = node.pending().count();
    }
    return new Candidates(
        names,
        cpu,
        memory,
        limit,
        cpuRequested,
        memoryRequested,
        pods,
        pendingCpu,
        pendingMemory,
        pendingPods,
        zones,
        racks,
        null);
  }

  /**
   * The best candidate; ties are broken by seed and pod alone, so that every policy draws alike.
   */
  private int pick(Policy policy, PodSpec spec, List<Node> feasible, double[] preferences) {
    double best = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < preferences.length; i++) {
      if (!Double.isFinite(preferences[i])) {
        throw new IllegalStateException(
            "policy "
                + policy.name()
                + " scored node "
                + feasible.get(i).name()
                + " with "
                + preferences[i]
                + " for pod "
                + spec.pod().uid()
                + ": scores must be finite");
      }
      best = Math.max(best, preferences[i]);
    }
    double threshold = Ties.threshold(best);
    int ties = 0;
    for (double p : preferences) {
      ties += p >= threshold ? 1 : 0;
    }
    int draw = (int) (Draws.uniform(Draws.hash(seed, "tie/" + spec.pod().uid())) * ties);
    for (int i = 0; i < preferences.length; i++) {
      if (preferences[i] >= threshold && draw-- == 0) {
        return i;
      }
    }
    throw new IllegalStateException("unreachable: one candidate is the best");
  }
}
