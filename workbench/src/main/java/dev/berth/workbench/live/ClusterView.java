package dev.berth.workbench.live;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Nodes and pods of a cluster at one instant.
 *
 * @param nodes in order of their names, numbers in them counted as numbers
 * @param pods all pods that are not finished
 */
record ClusterView(List<NodeLoad> nodes, List<Pod> pods) {

  /**
   * One node with what is requested on it.
   *
   * @param schedulable false for a tainted or cordoned node
   */
  record NodeLoad(
      String name,
      boolean schedulable,
      String zone,
      String rack,
      double cpuCores,
      double memoryBytes,
      int podLimit,
      double cpuRequested,
      double memoryRequested,
      int pods) {

    double cpuShare() {
      return cpuCores == 0 ? 0 : cpuRequested / cpuCores;
    }

    double memoryShare() {
      return memoryBytes == 0 ? 0 : memoryRequested / memoryBytes;
    }
  }

  static ClusterView of(KubernetesClient client) {
    List<Pod> pods = new ArrayList<>();
    for (Pod pod : client.pods().inAnyNamespace().list().getItems()) {
      if (LivePods.occupies(pod) || LivePods.pending(pod)) {
        pods.add(pod);
      }
    }
    return of(client.nodes().list().getItems(), pods);
  }

  static ClusterView of(List<Node> nodes, List<Pod> pods) {
    Map<String, double[]> requested = new HashMap<>(); // cores, bytes, pods
    for (Pod pod : pods) {
      String node = pod.getSpec().getNodeName();
      if (node != null) {
        double[] sums = requested.computeIfAbsent(node, n -> new double[3]);
        sums[0] += LivePods.cpuRequestMilli(pod) / 1000.0;
        sums[1] += LivePods.memoryRequestBytes(pod);
        sums[2]++;
      }
    }
    List<NodeLoad> loads = new ArrayList<>();
    for (Node node : nodes) {
      double[] sums = requested.getOrDefault(node.getMetadata().getName(), new double[3]);
      Map<String, Quantity> allocatable = node.getStatus().getAllocatable();
      Map<String, String> labels = node.getMetadata().getLabels();
      loads.add(
          new NodeLoad(
              node.getMetadata().getName(),
              node.getSpec().getTaints().isEmpty()
                  && !Boolean.TRUE.equals(node.getSpec().getUnschedulable()),
              labels.getOrDefault("topology.kubernetes.io/zone", ""),
              labels.getOrDefault("rack", ""),
              LivePods.amount(allocatable.get("cpu")),
              LivePods.amount(allocatable.get("memory")),
              (int) LivePods.amount(allocatable.get("pods")),
              sums[0],
              sums[1],
              (int) sums[2]));
    }
    loads.sort(Comparator.comparing(NodeLoad::name, ClusterView::byNumber));
    return new ClusterView(List.copyOf(loads), List.copyOf(pods));
  }

  /** The nodes that ordinary pods can go to. */
  List<NodeLoad> workers() {
    return nodes.stream().filter(NodeLoad::schedulable).toList();
  }

  long pending() {
    return pods.stream().filter(LivePods::pending).count();
  }

  /** Population standard deviation of requested CPU over the workers, as a share of a node. */
  double cpuRequestStd() {
    double mean = workers().stream().mapToDouble(NodeLoad::cpuShare).average().orElse(0);
    return Math.sqrt(
        workers().stream()
            .mapToDouble(n -> (n.cpuShare() - mean) * (n.cpuShare() - mean))
            .average()
            .orElse(0));
  }

  /** node-2 before node-10. */
  private static int byNumber(String a, String b) {
    String stemA = a.replaceAll("\\d+$", "");
    String stemB = b.replaceAll("\\d+$", "");
    return stemA.equals(stemB) && a.length() != b.length()
        ? Integer.compare(a.length(), b.length())
        : a.compareTo(b);
  }
}
