package dev.berth.simulator.engine;

import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.usage.Load;
import dev.berth.simulator.usage.PodDemand;
import dev.berth.simulator.usage.UsageModel;
import dev.berth.simulator.workload.PodSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * The truth: nodes, the pods on them and what they use. Listeners and oracles read it; scorers
 * never do.
 *
 * <p>Thread rule: the thread of its simulation.
 */
public final class Cluster {
  private final UsageModel usage;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<String, Node> byName = new HashMap<>();
  private final Map<Load, LoadClock> loads = new IdentityHashMap<>();
  private final Map<String, RunningPod> pods = new HashMap<>();
  private final PriorityQueue<RunningPod> ends =
      new PriorityQueue<>(
          Comparator.comparingDouble(RunningPod::endsAt).thenComparingLong(RunningPod::serial));

  private long serial;
  private int pending;
  private int added;
  private double now;

  private boolean podsMetered;

  Cluster(UsageModel usage) {
    this.usage = usage;
  }

  /** From now on the CPU time of every pod is counted, too. */
  void meterPods() {
    podsMetered = true;
  }

  public UsageModel usage() {
    return usage;
  }

  /** Nodes that are in the cluster now, in a fixed order. */
  public List<Node> nodes() {
    return Collections.unmodifiableList(nodes);
  }

  public Node node(String name) {
    Node node = byName.get(name);
    if (node == null) {
      throw new IllegalArgumentException("no node '" + name + "' in the cluster");
    }
    return node;
  }

  public boolean contains(String node) {
    return byName.containsKey(node);
  }

  public int podCount() {
    return pods.size();
  }

  /** Pods that no node can take at the moment. */
  public int pending() {
    return pending;
  }

  /** Start of the current tick, seconds. */
  public double now() {
    return now;
  }

  void pending(int count) {
    pending = count;
  }

  void add(NodeGroup group, int index) {
    String name = group.name() + "-" + index;
    // A rack is its position among all nodes, and stands in one zone.
    int position = added++;
    int rack = group.serversPerRack() == 0 ? index : position / group.serversPerRack();
    String zone = group.zones() == 0 ? "" : "zone-" + rack % group.zones();
    String rackLabel = group.serversPerRack() == 0 ? "" : "rack-" + rack;
    Node node =
        new Node(
            name,
            zone,
            rackLabel,
            group,
            group.speed(index),
            usage.daemons(name, group.cpuMilli(), group.memoryBytes()));
    nodes.add(node);
    byName.put(name, node);
  }

  void remove(Node node) {
    nodes.remove(node);
    byName.remove(node.name());
  }

  /** Binds a pod; its containers start after their delay, and it ends after its lifetime. */
  void bind(PodSpec spec, Node node, double at) {
    double delay = usage.startDelay(spec.pod());
    // Ends on the tick grid, so that a pod's usage is never cut inside a tick.
    double end =
        at
            + Math.ceil((delay + spec.lifetimeSeconds()) / Simulation.TICK_SECONDS)
                * Simulation.TICK_SECONDS;
    PodDemand demand = usage.start(spec.pod(), spec.cpuLimitMilli(), at + delay);
    var pod =
        new RunningPod(
            spec,
            node,
            demand,
            usage.parameters().lifetimeOf(spec.pod().owner()),
            loads.computeIfAbsent(demand.load(), LoadClock::new),
            at,
            end,
            serial++);
    if (pods.put(spec.pod().uid(), pod) != null) {
      throw new IllegalStateException("pod " + spec.pod().uid() + " is bound twice");
    }
    node.add(pod);
    if (end < Double.POSITIVE_INFINITY) {
      ends.add(pod);
    }
  }

  void remove(RunningPod pod) {
    pod.gone = true;
    pods.remove(pod.spec().pod().uid());
    pod.node().remove(pod);
  }

  /** The next pod whose end has come, or null. */
  @Nullable RunningPod nextEnded(double t) {
    while (!ends.isEmpty() && ends.peek().endsAt() <= t) {
      RunningPod pod = ends.poll();
      if (!pod.gone) {
        return pod;
      }
    }
    return null;
  }

  /** Running pods of an owner (or all, for null) in bind order. */
  List<RunningPod> podsOf(@Nullable String owner) {
    return pods.values().stream()
        .filter(p -> owner == null || p.spec().pod().owner().equals(owner))
        .sorted(Comparator.comparingLong(RunningPod::serial))
        .toList();
  }

  /**
   * Computes what every node does in the tick that starts at {@code t} and runs its counters on.
   */
  void advance(double t, double seconds) {
    now = t;
    for (Node node : nodes) {
      double cores = node.daemons().cpuCores();
      double memory = node.daemons().memoryBytes();
      double connections = 0;
      double speed = node.speed();
      for (int i = 0; i < node.demands.size(); i++) {
        PodDemand demand = node.demands.get(i);
        LoadClock load = node.loads.get(i);
        load.at(t);
        demand.tick(t, load.factor() / speed);
        cores += demand.wantedCores();
        memory += demand.heldBytes();
        connections += demand.connections(t, load.relative());
      }
      node.demandCores = cores;
      node.memoryUsedBytes = memory;
      node.connections = connections;
      node.cpuSeconds += node.usedCores() * seconds;
      if (podsMetered) {
        double granted = cores > 0 ? node.usedCores() / cores : 0; // throttled, all alike
        for (RunningPod pod : node.pods()) {
          pod.cpuSeconds += granted * pod.demandCores() * seconds;
        }
      }
    }
  }

  /**
   * The pod the kubelet would evict from a node that is short of memory, null while memory
   * suffices. By default it evicts when less than 100Mi are available, and allocatable is what
   * capacity leaves after these: so when usage, daemons included, exceeds allocatable.
   *
   * <p>Its order is that of {@code rankMemoryPressure} (kubernetes v1.36 {@code
   * pkg/kubelet/eviction/helpers.go}): pods above their request before all others, then the lower
   * priority, then by usage above request; the younger of two that are equal.
   */
  @Nullable RunningPod evictionVictim(Node node) {
    if (node.memoryUsedBytes <= node.memoryBytes()) {
      return null;
    }
    return node.pods().stream()
        .max(
            Comparator.comparing((RunningPod p) -> aboveRequest(p) > 0)
                .thenComparing(p -> p.spec().pod().priority(), Comparator.reverseOrder())
                .thenComparingDouble(Cluster::aboveRequest)
                .thenComparingLong(RunningPod::serial))
        .orElse(null);
  }

  private static double aboveRequest(RunningPod pod) {
    return pod.memoryBytes() - pod.spec().pod().memoryBytes();
  }
}
