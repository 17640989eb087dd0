package dev.berth.simulator.scenario;

import java.util.List;
import java.util.Map;

/**
 * Alike nodes.
 *
 * @param name prefix; node i of the group is called {@code name-i}
 * @param cpuMilli allocatable CPU of each
 * @param memoryBytes allocatable memory of each
 * @param pods allocatable pods of each
 * @param speeds work done in a second of CPU, against the nodes that requests were sized on: on a
 *     node of 0.5 a pod uses twice the CPU for the same work; dealt out to the nodes in turn
 * @param zones nodes go round-robin over this many zones, whole racks where there are racks; 0 for
 *     no zone label
 * @param serversPerRack nodes of one rack, by their position among all nodes as {@code berth
 *     topology label} counts; 0 for no rack label
 * @param joinsAt second at which the nodes appear
 * @param leavesAt second at which they vanish with their pods; infinity for never
 */
public record NodeGroup(
    String name,
    int count,
    long cpuMilli,
    long memoryBytes,
    int pods,
    List<Double> speeds,
    int zones,
    int serversPerRack,
    Map<String, String> labels,
    List<Taint> taints,
    double joinsAt,
    double leavesAt) {

  public NodeGroup {
    speeds = List.copyOf(speeds);
    labels = Map.copyOf(labels);
    taints = List.copyOf(taints);
    if (count < 1 || cpuMilli < 1 || memoryBytes < 1 || pods < 1 || zones < 0) {
      throw new IllegalArgumentException(
          "node group '" + name + "' needs count, cpu, memory and pods above 0");
    }
    if (serversPerRack < 0) {
      throw new IllegalArgumentException(
          "node group '" + name + "' has servers_per_rack " + serversPerRack + ": use 0 or more");
    }
    if (speeds.isEmpty() || !speeds.stream().allMatch(s -> s > 0)) {
      throw new IllegalArgumentException(
          "node group '" + name + "' has speed " + speeds + ": use numbers above 0, such as 0.7");
    }
    if (leavesAt <= joinsAt) {
      throw new IllegalArgumentException(
          "node group '" + name + "' leaves before it joins: set leaves later than joins");
    }
  }

  /** Nodes of one speed. */
  public NodeGroup(
      String name,
      int count,
      long cpuMilli,
      long memoryBytes,
      int pods,
      double speed,
      int zones,
      int serversPerRack,
      Map<String, String> labels,
      List<Taint> taints,
      double joinsAt,
      double leavesAt) {
    this(
        name,
        count,
        cpuMilli,
        memoryBytes,
        pods,
        List.of(speed),
        zones,
        serversPerRack,
        labels,
        taints,
        joinsAt,
        leavesAt);
  }

  /** The group with other numbers, all else alike. */
  public NodeGroup with(int newCount, long newCpuMilli, long newMemoryBytes) {
    return new NodeGroup(
        name,
        newCount,
        newCpuMilli,
        newMemoryBytes,
        pods,
        speeds,
        zones,
        serversPerRack,
        labels,
        taints,
        joinsAt,
        leavesAt);
  }

  /** Speed of the group's node {@code index}. */
  public double speed(int index) {
    return speeds.get(index % speeds.size());
  }

  /** Plain nodes that are there from start to end. */
  public static NodeGroup of(String name, int count, long cpuMilli, long memoryBytes) {
    return new NodeGroup(
        name,
        count,
        cpuMilli,
        memoryBytes,
        110,
        1,
        0,
        0,
        Map.of(),
        List.of(),
        0,
        Double.POSITIVE_INFINITY);
  }
}
