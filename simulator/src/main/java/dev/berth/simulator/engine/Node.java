package dev.berth.simulator.engine;

import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Taint;
import dev.berth.simulator.usage.DaemonOverhead;
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

  private long cpuRequestedMilli;
  private long memoryRequestedBytes;
  private int version;

  // The truth of the current tick; the package's Cluster writes it.
  double demandCores;
  double memoryUsedBytes;
  double connections;
  double cpuSeconds;
  // End of the newest visible sample's window: pods bound later are not in any sample.
  double coveredUntil = Double.NEGATIVE_INFINITY;

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
    return Collections.unmodifiableList(pods);
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
    cpuRequestedMilli += pod.spec().pod().cpuMilli();
    memoryRequestedBytes += pod.spec().pod().memoryBytes();
    version++;
  }

  void remove(RunningPod pod) {
    RunningPod last = pods.remove(pods.size() - 1);
    if (last != pod) {
      pods.set(pod.slot, last);
      last.slot = pod.slot;
    }
    cpuRequestedMilli -= pod.spec().pod().cpuMilli();
    memoryRequestedBytes -= pod.spec().pod().memoryBytes();
    version++;
  }
}
