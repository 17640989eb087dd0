package dev.berth.workbench.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;

/**
 * The question of schedulers before us: the pod and every candidate as Kubernetes' own objects. A
 * node is what a kubelet 1.36 says of itself on kind with a dozen images, 4.7 kB without managed
 * fields; one in a cloud has up to 50 images and more labels.
 */
final class KubernetesObjects {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int IMAGES = 12;
  private static final String TIME = "2026-01-01T00:00:00Z";

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
      metadata(node.putObject("metadata"), name, i);
      node.putObject("spec")
          .put("podCIDR", "10.244.1.0/24")
          .put("providerID", "kind://docker/berth/" + name)
          .putArray("podCIDRs")
          .add("10.244.1.0/24");
      status(node.putObject("status"), name, i);
    }
    return JSON.writeValueAsBytes(body);
  }

  private static void metadata(ObjectNode to, String name, int i) {
    to.put("name", name)
        .put("uid", "a6deb803-d718-4c79-b187-%012d".formatted(i))
        .put("resourceVersion", Integer.toString(1_000_000 + i))
        .put("creationTimestamp", TIME);
    to.putObject("annotations")
        .put("node.alpha.kubernetes.io/ttl", "0")
        .put("volumes.kubernetes.io/controller-managed-attach-detach", "true");
    to.putObject("labels")
        .put("beta.kubernetes.io/arch", "amd64")
        .put("beta.kubernetes.io/os", "linux")
        .put("kubernetes.io/arch", "amd64")
        .put("kubernetes.io/hostname", name)
        .put("kubernetes.io/os", "linux")
        .put("topology.kubernetes.io/zone", "zone-" + i % 3)
        .put("topology.kubernetes.io/rack", "rack-" + i % 40);
  }

  private static void status(ObjectNode status, String name, int i) {
    amounts(status.putObject("capacity"));
    amounts(status.putObject("allocatable"));
    ArrayNode addresses = status.putArray("addresses");
    addresses
        .addObject()
        .put("type", "InternalIP")
        .put("address", "10.0.%d.%d".formatted(i / 250, i % 250));
    addresses.addObject().put("type", "Hostname").put("address", name);
    ArrayNode conditions = status.putArray("conditions");
    condition(
        conditions,
        "MemoryPressure",
        "False",
        "KubeletHasSufficientMemory",
        "kubelet has sufficient memory available");
    condition(
        conditions,
        "DiskPressure",
        "False",
        "KubeletHasNoDiskPressure",
        "kubelet has no disk pressure");
    condition(
        conditions,
        "PIDPressure",
        "False",
        "KubeletHasSufficientPID",
        "kubelet has sufficient PID available");
    condition(conditions, "Ready", "True", "KubeletReady", "kubelet is posting ready status");
    status.putObject("daemonEndpoints").putObject("kubeletEndpoint").put("Port", 10250);
    status
        .putArray("declaredFeatures")
        .add("ExtendWebSocketsToKubelet")
        .add("InPlacePodLevelResourcesVerticalScaling")
        .add("InPlacePodVerticalScalingInitContainers")
        .add("RestartAllContainersOnContainerExits");
    status.putObject("features").put("supplementalGroupsPolicy", true);
    ArrayNode images = status.putArray("images");
    for (int k = 0; k < IMAGES; k++) {
      ObjectNode image = images.addObject();
      image
          .putArray("names")
          .add("docker.io/library/app-%d@sha256:%064x".formatted(k, k))
          .add("docker.io/library/app-%d:1.%d".formatted(k, k));
      image.put("sizeBytes", 100_000_000L + k);
    }
    status
        .putObject("nodeInfo")
        .put("architecture", "amd64")
        .put("bootID", "10652a3b-4fb3-4f3f-8167-%012d".formatted(i))
        .put("containerRuntimeVersion", "containerd://2.4.2")
        .put("kernelVersion", "6.18.44")
        .put("kubeProxyVersion", "")
        .put("kubeletVersion", "v1.36.3")
        .put("machineID", "5ba8ccd762664d2cb20df387%08d".formatted(i))
        .put("operatingSystem", "linux")
        .put("osImage", "Debian GNU/Linux 12 (bookworm)")
        .put("systemUUID", "5ba8ccd762664d2cb20df387%08d".formatted(i));
    ArrayNode handlers = status.putArray("runtimeHandlers");
    for (String handler : new String[] {"", "runc"}) {
      handlers
          .addObject()
          .put("name", handler)
          .putObject("features")
          .put("recursiveReadOnlyMounts", true)
          .put("userNamespaces", false);
    }
  }

  private static void condition(
      ArrayNode to, String type, String status, String reason, String message) {
    to.addObject()
        .put("type", type)
        .put("status", status)
        .put("reason", reason)
        .put("message", message)
        .put("lastHeartbeatTime", TIME)
        .put("lastTransitionTime", TIME);
  }

  private static void amounts(ObjectNode to) {
    to.put("cpu", "64").put("memory", "256Gi").put("pods", "110");
    to.put("ephemeral-storage", "264212084Ki").put("hugepages-1Gi", "0").put("hugepages-2Mi", "0");
  }
}
