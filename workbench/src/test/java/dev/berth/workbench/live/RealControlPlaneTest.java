package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.service.page.Browser;
import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.simulator.workload.DeploymentPlan.Action;
import dev.berth.workbench.live.LocalCluster.Component;
import dev.berth.workbench.live.Workload.Options;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The whole path on a real control plane: kube-scheduler with the plugin, the service as its own
 * process, Prometheus and the usage exporter. One small cluster lives through all tests, in order.
 * Run by {@code make test-e2e}.
 */
@Tag("cluster")
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RealControlPlaneTest implements OperatorCommands, LiveExperiment, PodEvents {
  private static final String SETTINGS =
      """
      state: set-by-option
      portBase: 23700
      scrapeInterval: 1s
      startTimeout: 90s
      usageExporter: true
      podUsage: true
      usageSeed: 1
      zones: 2
      racksPerZone: 1
      nodes:
        - {name: node, role: worker, count: 4, cpu: "32", memory: 128Gi, pods: 110}
        - {name: control, role: control-plane, count: 1, cpu: "4", memory: 8Gi, pods: 110}
      """;

  private TestControlPlane plane;
  private LocalCluster cluster;
  private int deployments;

  @BeforeAll
  void startEverything() throws Exception {
    plane = new TestControlPlane(SETTINGS);
    cluster = plane.cluster();
    patientScheduler();
    await("the service to be ready", () -> get(url("service") + "/readyz").contains("true"));
    await("every node to have a sample", this::everyNodeHasASample); // else answers are neutral
  }

  private boolean everyNodeHasASample() throws Exception {
    String scores = get(url("service") + "/score?cpu=200m&memory=256Mi");
    return workers().stream().allMatch(scores::contains)
        && get(url("service") + "/metrics").contains("berth_nodes{state=\"absent\"} 0");
  }

  /** What is decided is tested here, not how fast this machine is beside other work. */
  private void patientScheduler() throws Exception {
    String shipped = Files.readString(plane.folder().resolve("kube-scheduler.yaml"));
    assertThat(shipped).contains("timeout: 200ms");
    Path patient = plane.folder().resolve("patient.yaml");
    Files.writeString(
        patient,
        shipped.replace("timeout: 200ms", "timeout: 1s\n          podEventsPerSecond: 10"));
    cluster.quietly("restart-scheduler", "--with", "berth", "--config", patient.toString());
  }

  @AfterAll
  void stopEverything() throws Exception {
    if (plane != null) {
      plane.close();
    }
  }

  @Test
  @Order(1)
  void fiftyPodsAreBoundAndTheServiceDecidedOnAllButAtMostOnePercent() throws Exception {
    warmUp();
    assertThat(play(5, 10)).isEqualTo(50);
    double service = placements("service");
    double fallback = placements("fallback");
    assertThat(service + fallback).isEqualTo(50);
    assertThat(service / (service + fallback)).isGreaterThanOrEqualTo(0.99);
    assertThat(nodesInUse()).isEqualTo(4); // and not all on one node
  }

  @Test
  @Order(2)
  void whatPrometheusSeesFollowsFromThePodsThatAreReallyBound() throws Exception {
    NodeUsage usage = new NodeUsage(url("prometheus"), "5s");
    double requested =
        client().pods().inAnyNamespace().list().getItems().stream()
            .mapToLong(LivePods::cpuRequestMilli)
            .sum();
    await("the pods to be warm", () -> usage.value("sum(kube_pod_info)") == 50);
    String busy = "rate(node_cpu_seconds_total{mode!=\"idle\",node=~\"node-.*\"}[5s])";
    // A rate needs two scrapes of a node, and on a busy machine scrapes come late.
    String ofAllNodes = "sum(" + busy + ") and (count(sum by (node) (" + busy + ")) == 4)";
    double[] cores = {Double.NaN};
    await("every node to have a rate", () -> !Double.isNaN(cores[0] = usage.value(ofAllNodes)));
    double demand = usage.value("sum(berth_node_cpu_demand_cores{node=~\"node-.*\"})");
    assertThat(demand).isBetween(0.1 * requested / 1000, 2 * requested / 1000);
    assertThat(cores[0]).isBetween(0.0, 1.5 * demand);
    assertThat(usage.value("sum(up{job=\"node\"})")).isEqualTo(5);
    assertThat(usage.value("count(up{job=\"machine\"} == 1)")).isEqualTo(1);
  }

  @Test
  @Order(2)
  void whatPodsUseReachesTheService() throws Exception {
    Pattern all = Pattern.compile("\"podsMeasured\" ?: ?50\\b");
    await("every pod to be measured", () -> all.matcher(get(url("service") + "/v1/status")).find());
    assertThat(get(url("service") + "/readyz")).contains("tells what 50 running pods use");
    NodeUsage usage = new NodeUsage(url("prometheus"), "5s");
    String pods = "rate(container_cpu_usage_seconds_total[5s])";
    String nodes = "rate(node_cpu_seconds_total{mode!=\"idle\",node!=\"\"}[5s])";
    await("every pod to have a rate", () -> usage.value("count(" + pods + " > 0)") == 50);
    // The daemons use the rest; scrapes are not at once.
    assertThat(usage.value("max(sum by (node) (" + pods + ") / sum by (node) (" + nodes + "))"))
        .isBetween(0.0, 1.1);
  }

  @Test
  @Order(3)
  void thePageShowsThisClusterAndWhyItsPodsAreWhereTheyAre(@TempDir Path profile) throws Exception {
    try (Browser browser = Browser.start(profile)) {
      browser.screen(1440, 1000, "light");
      browser.open(url("service") + "/");
      browser.await("document.getElementById('canvas').dataset.tiles === '5'");
      browser.await("document.getElementById('facts').textContent.includes('50 pods')");
      browser.await("document.querySelectorAll('#decisions li').length >= 50");
      assertThat(browser.text("#facts")).contains("mode active");
      assertThat(browser.text("#summary")).contains("4 nodes", "1 not offered to pods");
      assertThat(browser.text("#change")).contains("pods placed by Berth");
      String pod =
          client().pods().inNamespace(Options.NAMESPACE).list().getItems().stream()
              .map(p -> p.getMetadata().getName())
              .findFirst()
              .orElseThrow();
      assertThat(browser.text("#decisions")).contains(pod);
      browser.find("#decisions li:nth-child(1) button").click();
      browser.await("document.querySelector('#why[open] table')");
      assertThat(browser.text("#why-body")).contains("4 nodes could take it", "(chosen)");
      browser.find("#why .close").click();
      for (String scheme : List.of("light", "dark")) {
        for (int width : new int[] {1440, 375}) {
          browser.screen(width, 900, scheme);
          browser.await("window.innerWidth === " + width);
          assertThat(browser.overflows()).as("%d pixels, %s", width, scheme).isEmpty();
          assertThat(browser.accessibilityFindings()).as("%d pixels, %s", width, scheme).isEmpty();
        }
      }
      assertThat(browser.complaints()).isEmpty();
    }
  }

  @Test
  @Order(13)
  void killingTheServiceInMidWorkloadLeavesNoPodPendingAndDecisionsResumeWithTheLastModel()
      throws Exception {
    long modelBefore = modelVersion();
    double fallbackBefore = placements("fallback");
    Pattern kept = Pattern.compile("berth_owners_kept [1-9]");
    await("owners to be on disk", () -> kept.matcher(get(url("service") + "/metrics")).find());
    CompletableFuture<Integer> run =
        CompletableFuture.supplyAsync(() -> unchecked(() -> play(8, 5, Duration.ofMillis(500))));
    int placedBefore = boundPods();
    await("the workload to be under way", () -> boundPods() > placedBefore + 5);
    Component service = cluster.status().component("service");
    ProcessHandle.of(service.pid()).orElseThrow().destroyForcibly();
    assertThat(run.get(90, TimeUnit.SECONDS)).isEqualTo(40); // play() waits until all are bound
    assertThat(placements("fallback")).isGreaterThan(fallbackBefore);
    assertThat(cluster.status().component("service").state()).isEqualTo("killed");

    cluster.quietly("up"); // mends
    await("the service to be ready", () -> get(url("service") + "/readyz").contains("true"));
    assertThat(modelVersion()).isGreaterThanOrEqualTo(modelBefore);
    assertThat(get(url("service") + "/metrics"))
        .as("what was learned of owners outlives the kill")
        .containsPattern("berth_owners_restored [1-9]");
    warmUp();
    // The plugin's breaker tries again within seconds; from then on the service decides.
    double serviceBefore = placements("service");
    await("decisions to resume", () -> play(1, 2) == 2 && placements("service") > serviceBefore);
  }

  @Test
  @Order(14)
  void withPrometheusDownPodsAreStillBoundByTheServicesScores() throws Exception {
    cluster.quietly("stop", "prometheus");
    double serviceBefore = placements("service");
    assertThat(play(2, 5)).isEqualTo(10);
    assertThat(placements("service")).isEqualTo(serviceBefore + 10);
    await("the service to say so", () -> get(url("service") + "/readyz").contains("no connection"));
    theDoctorNames("prometheus");
    cluster.quietly("start", "prometheus");
    await("it to recover", () -> !get(url("service") + "/readyz").contains("no connection"));
  }

  @Test
  @Order(15)
  void theClusterGoesOnAfterAStopAndAStart() throws Exception {
    int bound = boundPods();
    plane.down();
    plane.up();
    assertThat(cluster.status().scheduler()).isEqualTo("berth");
    assertThat(boundPods()).isEqualTo(bound);
    await("the service to be ready", () -> get(url("service") + "/readyz").contains("true"));
    assertThat(play(1, 5)).isEqualTo(5);
  }

  @Test
  @Order(16)
  void cleaningEmptiesTheWorkloadsAndNothingElse() throws Exception {
    assertThat(Cleaner.workloadNamespaces(client())).containsExactly(Options.NAMESPACE);
    Cleaner.empty(client(), Options.NAMESPACE, Duration.ofSeconds(60));
    assertThat(boundPods()).isZero();
    assertThat(client().nodes().list().getItems()).hasSize(5);
    await(
        "the exporter to notice",
        () -> !get(url("usage-exporter") + "/kube-state-metrics").contains("kube_pod_info{"));
  }

  @Override
  public TestControlPlane plane() {
    return plane;
  }

  @Override
  public int play(int count, int replicas) throws InterruptedException {
    return play(count, replicas, Duration.ZERO);
  }

  /** Adds Deployments to what is there and waits until all their pods are bound. */
  private int play(int count, int replicas, Duration pace) throws InterruptedException {
    List<DeploymentPlan> plans = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      plans.add(
          new DeploymentPlan(
              "app-" + deployments++, replicas, 200, 200, 1 << 28, 1 << 28, Action.ADD));
    }
    Options options =
        new Options(Options.NAMESPACE, "default-scheduler", pace, Options.DEFAULT.patience());
    return new Workload(client(), options, (bound, total, name) -> {}).run(plans);
  }

  private int boundPods() {
    return (int)
        client().pods().inNamespace(Options.NAMESPACE).list().getItems().stream()
            .filter(LivePods::occupies)
            .count();
  }

  private long nodesInUse() {
    return client().pods().inNamespace(Options.NAMESPACE).list().getItems().stream()
        .map((Pod pod) -> pod.getSpec().getNodeName())
        .distinct()
        .count();
  }

  /** A JVM's first answers take longer than the plugin waits; a real cluster warms up alone. */
  private void warmUp() throws Exception {
    for (int i = 0; i < 50; i++) {
      get(url("service") + "/score?cpu=200m&memory=256Mi");
    }
  }

  private double placements(String by) throws Exception {
    return plane.placements(by);
  }

  private long modelVersion() throws Exception {
    String answer = get(url("service") + "/score?cpu=200m&memory=256Mi");
    return Long.parseLong(answer.replaceAll("(?s).*\"modelVersion\" : (\\d+).*", "$1"));
  }

  private KubernetesClient client() {
    return plane.client();
  }

  private String url(String component) throws IOException, InterruptedException {
    return plane.url(component);
  }

  private String get(String url) throws IOException, InterruptedException {
    return plane.get(url);
  }

  private static void await(String what, Callable<Boolean> happened) throws Exception {
    TestControlPlane.await(what, Duration.ofSeconds(60), happened);
  }

  private static <T> T unchecked(Callable<T> action) {
    try {
      return action.call();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
