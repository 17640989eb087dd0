package dev.berth.simulator.engine;

import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Taint;
import dev.berth.simulator.usage.DaemonOverhead;
import dev.berth.simulator.usage.PodDemand;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** A node at run time: what is requested of it, and the truth about what it does. */
public final class Node {
  private final String name;
  private final String zone;
  private final String rack;
  private final NodeGroup group;
  private final double speed;
  private final DaemonOverhead daemons;
  private final List<RunningPod> pods = new ArrayList<>();
  private final List<RunningPod> podsView = Collections.unmodifiableList(pods);
  private final PendingPods pending = new PendingPods();

  private int podCount;
  private long cpuRequestedMilli;
  private long memoryRequestedBytes;
  private int version;

  // What the pods want, and the loads that they follow, in the order of the pods. A tick waits for
  // memory more than it computes: by way of the pods it would wait twice as long.
  final List<PodDemand> demands = new ArrayList<>();
  final List<LoadClock> loads = new ArrayList<>();

  // The truth of the current tick; the package's Cluster writes it.
  double demandCores;
  double memoryUsedBytes;
  double connections;
  double cpuSeconds;

  Node(
      String name,
      String zone,
      String rack,
      NodeGroup group,
      double speed,
      DaemonOverhead daemons) {
    this.name = name;
    this.zone = zone;
    this.rack = rack;
    this.group = group;
    this.speed = speed;
    this.daemons = daemons;
    this.demandCores = daemons.cpuCores();
    this.memoryUsedBytes = daemons.memoryBytes();
  }

  public String name() {
    return name;
  }

  public String zone() {
    return zone;
  }

  /** Empty where the node has no such label. */
  public String rack() {
    return rack;
  }

  public Map<String, String> labels() {
    return group.labels();
  }

  public List<Taint> taints() {
    return group.taints();
  }

  /** Whether ordinary pods may come here; metrics look at these nodes only. */
  public boolean worker() {
    return group.taints().isEmpty();
  }

  public long cpuMilli() {
    return group.cpuMilli();
  }

  public double capacityCores() {
    return group.cpuMilli() / 1000.0;
  }

  /** Work done in a second of CPU, against the nodes that requests were sized on. */
  public double speed() {
    return speed;
  }

  public long memoryBytes() {
    return group.memoryBytes();
  }

  public int podLimit() {
    return group.pods();
  }

  /** Of {@link #pods}, at hand: the list itself lies elsewhere in memory. */
  public int podCount() {
    return podCount;
  }

  public long cpuRequestedMilli() {
    return cpuRequestedMilli;
  }

  public long memoryRequestedBytes() {
    return memoryRequestedBytes;
  }

  public DaemonOverhead daemons() {
    return daemons;
  }

  /** The pods bound here, in no meaningful order. */
  public List<RunningPod> pods() {
    return podsView;
  }

  /** Those of them that no visible sample can show. */
  PendingPods pending() {
    return pending;
  }

  /** Changes whenever a pod comes or goes. */
  public int version() {
    return version;
  }

  /** CPU wanted in the current tick, cores; may exceed the capacity. */
  public double demandCores() {
    return demandCores;
  }

  /** CPU used in the current tick: demand up to capacity. */
  public double usedCores() {
    return Math.min(demandCores, capacityCores());
  }

  public double memoryUsedBytes() {
    return memoryUsedBytes;
  }

  public double connections() {
    return connections;
  }

  void add(RunningPod pod) {
    pod.slot = pods.size();
    pods.add(pod);
    demands.add(pod.demand());
    loads.add(pod.load());
    pending.add(pod);
    podCount++;
    cpuRequestedMilli += pod.spec().pod().cpuMilli();
    memoryRequestedBytes += pod.spec().pod().memoryBytes();
    version++;
  }

  void remove(RunningPod pod) {
    pending.remove(pod);
    int end = pods.size() - 1;
    RunningPod last = pods.remove(end);
    PodDemand demand = demands.remove(end);
    LoadClock load = loads.remove(end);
    if (last != pod) {
      pods.set(pod.slot, last);
      demands.set(pod.slot, demand);
      loads.set(pod.slot, load);
      last.slot = pod.slot;
    }
    podCount--;
    cpuRequestedMilli -= pod.spec().pod().cpuMilli();
    memoryRequestedBytes -= pod.spec().pod().memoryBytes();
    version++;
  }
}
