package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.berth.workbench.live.Workload.Options;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an operator types, on a running cluster with fifty pods that Berth placed, held against what
 * the API server knows: which nodes there are, and on which of them each pod is.
 */
interface OperatorCommands extends Operator {
  String ZONE = "topology.kubernetes.io/zone";

  /** As much of an installation as a doctor needs to look further. */
  String INSTALLED =
      """
      apiVersion: v1
      kind: Namespace
      metadata: {name: berth-system}
      ---
      apiVersion: v1
      kind: Secret
      metadata: {name: berth-token, namespace: berth-system}
      ---
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: berth-service, namespace: berth-system}
      spec:
        replicas: 0
        selector: {matchLabels: {app: berth}}
        template:
          metadata: {labels: {app: berth}}
          spec: {containers: [{name: service, image: berth-service}]}
      """;

  String WEB =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        template:
          spec:
            containers:
              - {name: web, image: nginx, resources: {requests: {cpu: "2", memory: 1Gi}}}
      """;

  @Test
  @Order(4)
  default void explainNamesTheNodeThatAPodIsReallyOn() throws Exception {
    Map<String, String> nodeOf = nodeOfPods();
    assertThat(nodeOf).hasSize(50);
    for (String pod : nodeOf.keySet().stream().limit(8).toList()) {
      assertThat(explained(pod))
          .contains(pod + ", ", ": went to " + nodeOf.get(pod) + "\n", "decided by dqn, ")
          .contains(" of %d candidates".formatted(workers().size()));
    }
    JsonNode last =
        JSON.readTree(ask("explain", "deploy/app-0", "-n", Options.NAMESPACE, "-o", "json").out());
    String name = last.path("pod").asText();
    assertThat(name).startsWith(Options.NAMESPACE + "/app-0-");
    assertThat(last.path("node").asText()).isEqualTo(nodeOf.get(name));
    assertThat(names(last.at("/nodes/node"))).isEqualTo(workers());
    String uid = last.path("podUid").asText();
    assertThat(ask("explain", uid).out().lines().findFirst()) // the reward may come in between
        .isEqualTo(ask("explain", name).out().lines().findFirst());
    assertThat(ask("explain", "nobody").error())
        .contains("no decision for nobody in namespace default");
  }

  @Test
  @Order(5)
  default void whatIfNamesTheNodesThereAreAndPlacesNothing(@TempDir Path folder) throws Exception {
    String manifest = Files.writeString(folder.resolve("web.yaml"), WEB).toString();
    Map<String, String> before = nodeOfPods();
    JsonNode told = JSON.readTree(ask("what-if", "-f", manifest, "-o", "json").out());
    assertThat(names(told.at("/nodes/node"))).isEqualTo(workers());
    assertThat(told.at("/forecast/podCpuMilli").asInt()).isEqualTo(2_000);
    Matcher first =
        Pattern.compile("would go to (\\S+)\n").matcher(ask("what-if", "-f", manifest).out());
    assertThat(first.find()).isTrue();
    assertThat(workers()).contains(first.group(1));
    assertThat(nodeOfPods()).isEqualTo(before);
    assertThat(ask("explain", "deploy/web").error()).contains("no decision for deploy/web");
  }

  @Test
  @Order(6)
  default void theReportCountsEveryPodThatIsBoundOnce() throws Exception {
    Set<String> toLearn = new TreeSet<>(); // these are left out
    told("/v1/decisions?limit=100")
        .path("decisions")
        .forEach(d -> toLearn.add(d.path("explored").asBoolean() ? d.path("pod").asText() : ""));
    Map<String, Integer> bound = new TreeMap<>();
    for (Pod pod : workloadPods()) {
      if (!toLearn.contains(Operator.name(pod))) {
        bound.merge(LivePods.toPod(pod, Operator.name(pod)).owner(), 1, Integer::sum);
      }
    }
    int pods = bound.values().stream().mapToInt(Integer::intValue).sum();
    JsonNode report = JSON.readTree(ask("report", "-o", "json").out());
    Map<String, Integer> counted = new TreeMap<>();
    report
        .path("owners")
        .forEach(o -> counted.put(o.path("name").asText(), o.at("/figures/pods").asInt()));
    assertThat(counted).isEqualTo(bound);
    assertThat(report.at("/others/pods").asInt()).isZero();
    assertThat(ask("report", "--since", "1h").out().lines())
        .contains("pods placed with Berth's scores: " + pods)
        .last()
        .asString()
        .startsWith("recommendation: change nothing, because no pod that the other plugins placed");
  }

  @Test
  @Order(7)
  default void replaySaysBitForBitWhatWasSaidAndWherePodsWent(@TempDir Path folder)
      throws Exception {
    Map<String, String> nodeOf = nodeOfPods();
    String recording = plane().recording().toString();
    Path csv = folder.resolve("decisions.csv");
    String text =
        Operator.berth("replay", recording, "--partial", "--decisions", csv.toString()).out();
    Matcher same = Pattern.compile("bit for bit: (\\d+) of (\\d+)\n").matcher(text);
    assertThat(same.find()).as(text).isTrue();
    assertThat(same.group(1)).isEqualTo(same.group(2));
    Map<String, String> replayed =
        Files.readAllLines(csv).stream()
            .skip(1)
            .map(line -> line.split(",", -1))
            .collect(Collectors.toMap(cells -> cells[1], cells -> cells[3], (a, b) -> a));
    assertThat(replayed).isEqualTo(nodeOf);

    String other =
        Operator.berth("replay", recording, "--partial", "--policy", "most-allocated").out();
    assertThat(other).contains(" of %d pods would have gone elsewhere".formatted(nodeOf.size()));
    assertThat(other.lines().filter(line -> line.contains("/app-")))
        .isNotEmpty()
        .allSatisfy(
            line -> {
              String[] cells = line.strip().split("\\s+", -1);
              assertThat(cells[2]).isEqualTo(nodeOf.get(cells[1]));
              assertThat(cells[3]).isNotEqualTo(cells[2]).isIn(workers());
            });
  }

  @Test
  @Order(10)
  default void theDoctorSaysOfTheClusterWhatTheApiServerKnows() throws Exception {
    assertThat(inCluster("doctor"))
        .returns(1, Said::exit)
        .extracting(Said::out)
        .asString()
        .startsWith("ERROR    installation: there is no namespace berth-system");
    install();
    String zone = label("node-0", null);
    List<Node> nodes = plane().client().nodes().list().getItems();
    long bare =
        nodes.stream().filter(node -> !node.getMetadata().getLabels().containsKey(ZONE)).count();
    String fault = "%d of %d nodes have no label %s".formatted(bare, nodes.size(), ZONE);
    assertThat(inCluster("doctor").out()).contains(fault, "kubectl label node");
    label("node-0", zone);
    assertThat(inCluster("doctor").out()).doesNotContain(fault);
  }

  @Test
  @Order(11)
  default void ofTheFilesAndTheServiceOfThisClusterTheDoctorFindsNoFault() throws Exception {
    Path folder = plane().folder();
    Said said =
        Operator.berth(
            "doctor",
            "--service",
            plane().url("service"),
            "--config",
            folder.resolve("service.yaml").toString(),
            "--scheduler-config",
            folder.resolve("kube-scheduler.yaml").toString());
    assertThat(said.exit()).isZero();
    assertThat(said.error()).isEmpty();
    assertThat(said.out().replaceAll("[0-9]+", "N"))
        .isEqualTo(
            """
            nothing is wrong that can be seen from here
            NOTE     service: pods: Prometheus tells what N running pods use
                     read: docs/operations.md, Usage of pods
            """);
  }

  /** What is wrong with this cluster first. */
  default void theDoctorNames(String cause) throws Exception {
    assertThat(Operator.berth("doctor", "--service", plane().url("service")).out())
        .startsWith("WARNING  service: " + cause + ": ");
  }

  @Test
  @Order(12)
  default void theModeIsFollowedByTheNextPodAndTheDoctorNamesWhoSetIt() throws Exception {
    install();
    inCluster("mode", "off");
    Map<String, String> written =
        plane()
            .client()
            .configMaps()
            .inNamespace("berth-system")
            .withName("berth-mode")
            .get()
            .getData();
    assertThat(written).containsEntry("mode", "off");
    Operator.await("the mode to be off", () -> inForce("off"));
    double off = plane().placements("off");
    for (String pod : newPods().keySet()) {
      assertThat(ask("explain", pod).error()).contains("no decision for " + pod);
    }
    assertThat(plane().placements("off")).isEqualTo(off + 3);
    String since =
        "since %s, by %s".formatted(written.get("changed-at"), written.get("changed-by"));
    assertThat(inCluster("doctor").out())
        .startsWith("ERROR    mode: Berth is switched off " + since);

    inCluster("mode", "active");
    Operator.await("the mode to be active", () -> inForce("active"));
    newPodsAreDecidedBy("dqn");
    assertThat(inCluster("mode").out().lines())
        .startsWith("active")
        .last()
        .isEqualTo("  %s %s: off".formatted(written.get("changed-at"), written.get("changed-by")));
  }

  private boolean inForce(String mode) throws Exception {
    return plane().schedulerMetrics().value("berth_mode", "mode", mode) == 1;
  }

  private void install() {
    plane()
        .client()
        .load(new ByteArrayInputStream(INSTALLED.getBytes(StandardCharsets.UTF_8)))
        .serverSideApply();
  }

  /** Gives a node another zone, or none; returns the one it had. */
  private @Nullable String label(String node, @Nullable String zone) {
    Node found = plane().client().nodes().withName(node).get();
    Map<String, String> labels = found.getMetadata().getLabels();
    String before = zone == null ? labels.remove(ZONE) : labels.put(ZONE, zone);
    found.getMetadata().setResourceVersion(null); // its heartbeat is nobody's concern here
    plane().client().resource(found).update();
    return before;
  }

  private static Set<String> names(JsonNode array) {
    Set<String> names = new TreeSet<>();
    array.forEach(name -> names.add(name.asText()));
    return names;
  }
}
