package dev.berth.workbench.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/**
 * The question of schedulers before us: the pod and every candidate as Kubernetes' own objects. A
 * node has here what a scorer may want of it, half a kilobyte; a real one has images, conditions
 * and annotations besides, and some ten times the bytes.
 */
final class KubernetesObjects {
  private static final ObjectMapper JSON = new ObjectMapper();

  private KubernetesObjects() {}

  /** {@code {"pod": Pod, "nodes": [Node, ...]}} with the nodes of our own question. */
  static byte[] question(int candidates) throws IOException {
    ObjectNode body = JSON.createObjectNode();
    ObjectNode pod = body.putObject("pod").put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", "app-x").put("namespace", "default");
    ObjectNode container = pod.putObject("spec").putArray("containers").addObject();
    container.put("name", "app").put("image", "app:1");
    container.putObject("resources").putObject("requests").put("cpu", "500m").put("memory", "1Gi");
    ArrayNode nodes = body.putArray("nodes");
    for (int i = 0; i < candidates; i++) {
      String name = "worker-%04d.cluster.local".formatted(i);
      ObjectNode node = nodes.addObject().put("apiVersion", "v1").put("kind", "Node");
      node.putObject("metadata")
          .put("name", name)
          .putObject("labels")
          .put("kubernetes.io/hostname", name)
          .put("kubernetes.io/arch", "amd64")
          .put("topology.kubernetes.io/zone", "zone-" + i % 3)
          .put("topology.kubernetes.io/rack", "rack-" + i % 40);
      ObjectNode status = node.putObject("status");
      amounts(status.putObject("capacity"));
      amounts(status.putObject("allocatable"));
    }
    return JSON.writeValueAsBytes(body);
  }

  private static void amounts(ObjectNode to) {
    to.put("cpu", "64").put("memory", "256Gi").put("pods", "110");
  }
}
