package dev.berth.workbench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.simulator.workload.DeploymentPlan.Action;
import dev.berth.workbench.live.Cleaner;
import dev.berth.workbench.live.Kube;
import dev.berth.workbench.live.LocalCluster;
import dev.berth.workbench.live.LocalCluster.Component;
import dev.berth.workbench.live.MetricsPage;
import dev.berth.workbench.live.Workload;
import dev.berth.workbench.live.Workload.Options;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A small control plane with Berth, on free ports, that all fault tests of a run break and mend.
 *
 * <p>Thread rule: one test at a time.
 */
final class FaultCluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String SETTINGS =
      """
      state: set by --state
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

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path root = Path.of(System.getProperty("berth.root"));
  private final Path folder;
  private final LocalCluster cluster;
  private final Map<String, String> serviceSettings = new HashMap<>();
  final FaultReport report = new FaultReport();
  private KubernetesClient client;
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

  private FaultCluster() throws IOException, InterruptedException {
    folder = Files.createTempDirectory("berth-faults");
    Path settings = Files.writeString(folder.resolve("cluster.yaml"), SETTINGS);
    cluster =
        new LocalCluster(
            root.resolve(".build/bin/berth-cluster"),
            List.of(
                "--root", root.toString(),
                "--settings", settings.toString(),
                "--state", folder.resolve("state").toString(),
                "--port-base", String.valueOf(freePorts())));
    cluster.quietly("up");
    cluster.quietly("start", "service");
    cluster.quietly("restart-scheduler", "--with", "berth");
    client = Kube.connect(cluster.status().kubeconfig());
  }

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

  /** Starts again whatever does not run. */
  void mend() throws IOException, InterruptedException {
    cluster.quietly(serviceSettings, "up");
    start("service");
  }

  /** Sends a signal, such as KILL or STOP, to a component's process. */
  void signal(String component, String signal) throws IOException, InterruptedException {
    run("kill", "-" + signal, String.valueOf(cluster.status().component(component).pid()));
  }

  /** Runs a program of this machine. */
  static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(process.waitFor()).as(String.join(" ", command) + ": " + output).isZero();
  }

  Component component(String name) throws IOException, InterruptedException {
    return cluster.status().component(name);
  }

  String url(String component) throws IOException, InterruptedException {
    return component(component).url();
  }

  /** The service's state folder. */
  Path stateFolder() {
    return folder.resolve("state").resolve("service");
  }

  /** What the service's scheduler shows it. */
  String token() throws IOException {
    return Files.readString(stateFolder().resolve("token")).strip();
  }

  KubernetesClient client() {
    return client;
  }

  String get(String url) throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(5)).build(),
            BodyHandlers.ofString())
        .body();
  }

  MetricsPage schedulerMetrics() throws IOException, InterruptedException {
    return MetricsPage.read(url("kube-scheduler") + "/metrics");
  }

  MetricsPage serviceMetrics() throws IOException, InterruptedException {
    return MetricsPage.read(url("service") + "/metrics");
  }

  /** Pods that were placed by the service's scores, or by the other plugins ("fallback"). */
  double placements(String by) throws IOException, InterruptedException {
    return schedulerMetrics().value("berth_placements_total", "decided_by", by);
  }

  /** Adds Deployments, each when the pods of the one before are bound, and waits for the last's. */
  void play(int count, int replicas) throws InterruptedException {
    List<DeploymentPlan> plans = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      plans.add(
          new DeploymentPlan(
              "app-" + deployments++, replicas, 100, 100, 1 << 27, 1 << 27, Action.ADD));
    }
    Options options = new Options(Options.NAMESPACE, "default-scheduler", Duration.ZERO, PATIENCE);
    new Workload(client, options, (bound, total, name) -> {}).run(plans);
  }

  List<Pod> pods() {
    return client.pods().inNamespace(Options.NAMESPACE).list().getItems();
  }

  /** Pods that hold a place on a node, in all namespaces: what the service's books should say. */
  long boundPods() {
    return client.pods().inAnyNamespace().list().getItems().stream()
        .filter(pod -> pod.getSpec().getNodeName() != null)
        .filter(pod -> !List.of("Succeeded", "Failed").contains(pod.getStatus().getPhase()))
        .count();
  }

  void empty() throws InterruptedException {
    Cleaner.empty(client, Options.NAMESPACE, PATIENCE);
  }

  /** Whether a rule of prometheus/rules has begun to fire; its own 'for' has tests of its own. */
  boolean alerts(String rule) throws IOException, InterruptedException {
    return get(url("prometheus") + "/api/v1/alerts").contains("\"alertname\":\"" + rule + "\"");
  }

  /** Whether the service decides on a pod that is made now. */
  boolean decides() throws InterruptedException {
    try {
      double before = placements("service");
      play(1, 1);
      return placements("service") > before;
    } catch (IOException e) {
      return false;
    }
  }

  /** Service and scheduler answer, the service decides, and its books name the pods there are. */
  boolean isWell() throws InterruptedException {
    try {
      return get(url("service") + "/readyz").contains("\"ready\" : true")
          && decides()
          && serviceMetrics().sum("berth_pods") == boundPods()
          && schedulerMetrics().sum("berth_outcome_queue_depth") == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Waits for something and returns the seconds it took. */
  static double await(String what, Duration most, Callable<Boolean> happened) throws Exception {
    long begun = System.nanoTime();
    while (!happened.call()) {
      assertThat(System.nanoTime() - begun)
          .as("waited " + most.toSeconds() + " s for " + what)
          .isLessThan(most.toNanos());
      Thread.sleep(100);
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    client.close();
    cluster.quietly("down", "--delete");
    Files.deleteIfExists(folder.resolve("cluster.yaml"));
    Files.deleteIfExists(folder);
    report.write();
  }

  private static int freePorts() {
    for (int base = 23700; base < 24000; base += 20) {
      int first = base;
      if (IntStream.range(first, first + 11).allMatch(FaultCluster::free)) {
        return base;
      }
    }
    throw new IllegalStateException("no eleven free ports from 23700 on");
  }

  private static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
