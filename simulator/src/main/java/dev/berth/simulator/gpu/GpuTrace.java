package dev.berth.simulator.gpu;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import java.util.List;

/**
 * A cluster and the pods that want in.
 *
 * @param name short name for tables, such as {@code default}
 */
public record GpuTrace(String name, List<NodeRow> nodes, List<PodRow> pods) {

  public GpuTrace {
    nodes = List.copyOf(nodes);
    pods = List.copyOf(pods);
    if (nodes.stream().mapToInt(NodeRow::cards).sum() == 0) {
      throw new IllegalArgumentException("trace " + name + ": the node list has no GPU");
    }
    if (pods.stream().noneMatch(pod -> pod.shape().gpu().count() > 0)) {
      throw new IllegalArgumentException("trace " + name + ": no pod asks for a GPU");
    }
  }

  /** A node as listed. */
  public record NodeRow(String name, String model, int cards, long cpuMilli, long memoryBytes) {

    public GpuNode empty() {
      return new GpuNode(name, model, cards, cpuMilli, memoryBytes);
    }
  }

  /**
   * A pod as listed. Times are seconds from the start of the trace, NaN where the list has none.
   *
   * @param scheduledAt NaN for a pod that stayed pending
   */
  public record PodRow(
      String name, PodRequests shape, double createdAt, double deletedAt, double scheduledAt) {}

  public List<PodRequests> shapes() {
    return pods.stream().map(PodRow::shape).toList();
  }

  /** GPU capacity in milli. */
  public long capacityMilli() {
    return nodes.stream().mapToLong(node -> (long) node.cards() * GpuRequest.CARD_MILLI).sum();
  }
}
