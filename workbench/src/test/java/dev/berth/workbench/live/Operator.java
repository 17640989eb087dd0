package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.workbench.cli.Workbench;
import dev.berth.workbench.live.Workload.Options;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What an operator of a running cluster has at hand: the commands, and beside them what the API
 * server knows.
 */
interface Operator {
  ObjectMapper JSON = new ObjectMapper();

  TestControlPlane plane();

  /** Adds Deployments to what is there and waits until all their pods are bound. */
  int play(int count, int replicas) throws InterruptedException;

  /** What a command printed, and its exit code. */
  record Said(int exit, String out, String error) {}

  /** A command as it is. */
  static Said berth(String... command) {
    return berth(command, new String[0]);
  }

  private static Said berth(String[] command, String... options) {
    StringWriter out = new StringWriter();
    StringWriter error = new StringWriter();
    int exit =
        Workbench.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(error))
            .execute(Stream.of(command, options).flatMap(Stream::of).toArray(String[]::new));
    return new Said(exit, out.toString(), error.toString());
  }

  /** A command that asks the service. */
  default Said ask(String... command) throws Exception {
    return berth(command, "--url", plane().url("service"));
  }

  /** A command that works in the service's state folder. */
  default Said ab(String... command) {
    String[] ab = Stream.concat(Stream.of("ab"), Stream.of(command)).toArray(String[]::new);
    return berth(ab, "--config", plane().folder().resolve("service.yaml").toString());
  }

  /** A command that runs kubectl. */
  default Said inCluster(String... command) throws Exception {
    return berth(
        command,
        "--kubectl",
        plane().program("kubectl").toString(),
        "--kubeconfig",
        plane().cluster().status().kubeconfig().toString());
  }

  /** What the service tells of a path, as JSON. */
  default JsonNode told(String path) throws Exception {
    return JSON.readTree(plane().get(plane().url("service") + path));
  }

  /** What is said of a pod once the service knows where it is: it hears of binds in batches. */
  default String explained(String pod) throws Exception {
    String[] text = {""};
    await(
        "the service to know where " + pod + " is",
        () -> !(text[0] = ask("explain", pod).out()).contains("not bound yet"));
    return text[0];
  }

  /** Three more pods and where they are. */
  default Map<String, String> newPods() throws Exception {
    Set<String> before = nodeOfPods().keySet();
    play(1, 3);
    Map<String, String> placed = nodeOfPods();
    placed.keySet().removeAll(before);
    return placed;
  }

  /** Waits until a policy serves; then it decides on three more pods, and says so. */
  default void newPodsAreDecidedBy(String policy) throws Exception {
    await(
        policy + " to serve",
        () -> told("/v1/what-if?cpu=200m&memory=256Mi").path("policy").asText().equals(policy));
    Map<String, String> placed = newPods();
    assertThat(placed).hasSize(3);
    for (String pod : placed.keySet()) {
      assertThat(explained(pod))
          .contains("decided by " + policy + ", ", ": went to " + placed.get(pod) + "\n");
    }
  }

  default List<Pod> workloadPods() {
    return plane().client().pods().inNamespace(Options.NAMESPACE).list().getItems();
  }

  /** By {@link #name}, as the API server has it. */
  default Map<String, String> nodeOfPods() {
    Map<String, String> nodes = new HashMap<>();
    workloadPods().forEach(pod -> nodes.put(name(pod), pod.getSpec().getNodeName()));
    return nodes;
  }

  static String name(Pod pod) {
    return Options.NAMESPACE + "/" + pod.getMetadata().getName();
  }

  /** Nodes that take pods, as the API server has them. */
  default Set<String> workers() {
    return plane().client().nodes().list().getItems().stream()
        .filter(node -> node.getSpec().getTaints().isEmpty())
        .map(HasMetadata::getMetadata)
        .map(meta -> meta.getName())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  static void await(String what, Callable<Boolean> happened) throws Exception {
    TestControlPlane.await(what, Duration.ofSeconds(30), happened);
  }
}
