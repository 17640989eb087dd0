package dev.berth.workbench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.simulator.workload.DeploymentPlan.Action;
import dev.berth.workbench.live.Cleaner;
import dev.berth.workbench.live.LocalCluster;
import dev.berth.workbench.live.LocalCluster.Component;
import dev.berth.workbench.live.TestControlPlane;
import dev.berth.workbench.live.Workload;
import dev.berth.workbench.live.Workload.Options;
import dev.berth.workbench.metrics.MetricsPage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A small control plane with Berth, on free ports, that all fault tests of a run break and mend.
 *
 * <p>Thread rule: one test at a time.
 */
final class FaultCluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(180);
  private static final String SETTINGS =
      """
      state: set-by-option
      portBase: 23700
      scrapeInterval: 1s
      startTimeout: 120s
      usageExporter: true
      usageSeed: 1
      zones: 2
      racksPerZone: 1
      nodes:
        - {name: node, role: worker, count: 10, cpu: "64", memory: 256Gi, pods: 220}
        - {name: control, role: control-plane, count: 1, cpu: "4", memory: 8Gi, pods: 110}
      """;

  private final TestControlPlane plane = new TestControlPlane(SETTINGS);
  private final LocalCluster cluster = plane.cluster();
  private final Map<String, String> serviceSettings = new HashMap<>();
  final FaultReport report = new FaultReport();
  private int deployments;

  /** Hands the cluster to the constructors of the test classes; the last one's end stops it. */
  static final class Shared implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == FaultCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.create(FaultCluster.class))
          .computeIfAbsent(FaultCluster.class, type -> start(), FaultCluster.class);
    }

    private static FaultCluster start() {
      try {
        return new FaultCluster();
      } catch (IOException e) {
        throw new IllegalStateException("the control plane for fault tests does not start", e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }

  private FaultCluster() throws IOException, InterruptedException {}

  /** Settings that the service gets from its next start on, such as {@code BERTH_...}. */
  Map<String, String> serviceSettings() {
    return serviceSettings;
  }

  void start(String component) throws IOException, InterruptedException {
    cluster.quietly(serviceSettings, "start", component);
  }

  void stop(String component) throws IOException, InterruptedException {
    cluster.quietly("stop", component);
  }

  /** Restarts the scheduler with the shipped configuration, or with more options. */
  void restartScheduler(String... more) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("restart-scheduler", "--with", "berth"));
    command.addAll(List.of(more));
    cluster.quietly(command.toArray(String[]::new));
  }

  /** Starts again whatever does not run. */
  void mend() throws IOException, InterruptedException {
    cluster.quietly(serviceSettings, "up");
    start("service");
  }

  /** Sends a signal, such as STOP, to a component's process. */
  void signal(String component, String signal) throws IOException, InterruptedException {
    run("kill", "-" + signal, String.valueOf(cluster.status().component(component).pid()));
  }

  /** Ends a component at once, and returns when its process is gone: the kernel takes a moment. */
  void kill(String component) throws Exception {
    signal(component, "KILL");
    await(
        component + " to be gone",
        Duration.ofSeconds(20),
        () -> cluster.status().component(component).pid() == 0);
  }

  /** Runs a program of this machine. */
  static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(String.join(" ", command) + ": " + output).isZero();
  }

  Component component(String name) throws IOException, InterruptedException {
    return plane.component(name);
  }

  String url(String component) throws IOException, InterruptedException {
    return plane.url(component);
  }

  /** Where the cluster keeps everything. */
  Path folder() {
    return plane.folder();
  }

  /** The service's state folder. */
  Path stateFolder() {
    return folder().resolve("service");
  }

  /** What the service's scheduler shows it. */
  String token() throws IOException {
    return Files.readString(stateFolder().resolve("token")).strip();
  }

  /** A program that {@code make tools} built. */
  Path program(String name) {
    return plane.program(name);
  }

  KubernetesClient client() {
    return plane.client();
  }

  String get(String url) throws IOException, InterruptedException {
    return plane.get(url);
  }

  MetricsPage schedulerMetrics() throws IOException, InterruptedException {
    return plane.schedulerMetrics();
  }

  MetricsPage serviceMetrics() throws IOException, InterruptedException {
    return MetricsPage.read(url("service") + "/metrics");
  }

  /** As {@link TestControlPlane#placements}. */
  double placements(String by) throws IOException, InterruptedException {
    return plane.placements(by);
  }

  /** Adds Deployments, each when the pods of the one before are bound, and waits for the last's. */
  void play(int count, int replicas) throws Exception {
    long before = boundPods();
    List<DeploymentPlan> plans = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      plans.add(
          new DeploymentPlan(
              "app-" + deployments++, replicas, 100, 100, 1 << 27, 1 << 27, Action.ADD));
    }
    Options options = new Options(Options.NAMESPACE, "default-scheduler", Duration.ZERO, PATIENCE);
    try {
      new Workload(client(), options, (bound, total, name) -> {}).run(plans);
    } catch (KubernetesClientException e) {
      assertThat(count).as("Deployments made before the API server went away").isOne();
      await("the burst to be bound", PATIENCE, () -> areBound(before + replicas));
    }
  }

  private boolean areBound(long pods) {
    try {
      return boundPods() >= pods;
    } catch (KubernetesClientException e) { // the API server is away
      return false;
    }
  }

  List<Pod> pods() {
    return client().pods().inNamespace(Options.NAMESPACE).list().getItems();
  }

  /** Pods that hold a place on a node, in all namespaces: what the service's books should say. */
  long boundPods() {
    return client().pods().inAnyNamespace().list().getItems().stream()
        .filter(pod -> pod.getSpec().getNodeName() != null)
        .filter(pod -> !List.of("Succeeded", "Failed").contains(pod.getStatus().getPhase()))
        .count();
  }

  void empty() throws InterruptedException {
    Cleaner.empty(client(), Options.NAMESPACE, PATIENCE);
  }

  /** Whether a rule of prometheus/rules has begun to fire; its own 'for' has tests of its own. */
  boolean alerts(String rule) throws IOException, InterruptedException {
    return get(url("prometheus") + "/api/v1/alerts").contains("\"alertname\":\"" + rule + "\"");
  }

  /** Whether the service decides on a pod that is made now. */
  boolean decides() throws Exception {
    try {
      double before = placements("service");
      play(1, 1);
      return placements("service") > before;
    } catch (IOException e) {
      return false;
    }
  }

  /** Service and scheduler answer, the service decides, and its books name the pods there are. */
  boolean isWell() throws Exception {
    try {
      return get(url("service") + "/readyz").contains("\"ready\" : true")
          && decides()
          && serviceMetrics().sum("berth_pods") == boundPods()
          && schedulerMetrics().sum("berth_outcome_queue_depth") == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** As {@link TestControlPlane#await}. */
  static double await(String what, Duration most, Callable<Boolean> happened) throws Exception {
    return TestControlPlane.await(what, most, happened);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    plane.close();
    report.write();
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
