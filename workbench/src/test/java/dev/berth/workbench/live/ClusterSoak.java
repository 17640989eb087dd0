package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workbench.live.LocalCluster.Component;
import dev.berth.workbench.metrics.MetricsPage;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentFluent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Pods come and go by the ten thousand on a thousand fake nodes, placed by the real scheduler with
 * the service's scores: {@code make soak-cluster}; not run with the tests.
 *
 * <p>It fails when a pod stays pending, the scheduler or the service ends, an outcome is dropped,
 * or the service's books are wrong in the end. Latencies and memory are drawn, never judged.
 */
@Timeout(value = 12, unit = TimeUnit.HOURS)
class ClusterSoak {
  private static final String SETTINGS =
      """
      state: set-by-option
      portBase: 23700
      scrapeInterval: 15s
      startTimeout: 300s
      usageExporter: true
      usageSeed: 5
      zones: 3
      racksPerZone: 4
      nodes:
        - {name: node, role: worker, count: %d, cpu: "64", memory: 256Gi, pods: 110}
        - {name: control, role: control-plane, count: 1, cpu: "4", memory: 8Gi, pods: 110}
      """;
  private static final String NAMESPACE = "soak";
  private static final int NODES = Integer.getInteger("soak.nodes", 1000);
  private static final int PODS = Integer.getInteger("soak.pods", 100_000);
  private static final int REPLICAS = 100;

  /** Deployments that live at the same time: ten pods a node. */
  private static final int LIVING = Math.max(1, 10 * NODES / REPLICAS);

  /** Pods that may be waiting before the next Deployment comes. */
  private static final int WAITING = REPLICAS;

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final long SAMPLE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final String CALLS = "berth_score_call_duration_seconds_bucket";

  private final List<SoakSample> samples = new ArrayList<>();
  private final long begun = System.nanoTime();
  private long sampled = begun;
  private Map<String, Double> callsBefore = Map.of();

  @Test
  void podsComeAndGo() throws Exception {
    try (TestControlPlane plane = new TestControlPlane(SETTINGS.formatted(NODES))) {
      Map<String, Integer> pids = pids(plane);
      prepare(plane);
      Deque<String> living = new ArrayDeque<>();
      for (int made = 0; made < PODS; ) {
        if (living.size() == LIVING) {
          delete(plane, living.removeFirst());
        }
        living.addLast(create(plane, "app-" + made / REPLICAS));
        made += REPLICAS;
        awaitBound(plane, made - WAITING);
      }
      awaitBound(plane, PODS);
      TestControlPlane.await("the books to be right", PATIENCE, () -> booksAreRight(plane));
      sample(plane);
      assertThat(pids(plane)).as("processes").isEqualTo(pids);
      assertThat(dropped(plane)).as("dropped outcomes").isZero();
    } finally {
      SoakPicture.write(Path.of(System.getProperty("berth.root"), "out", "soak-cluster"), samples);
    }
  }

  private static void prepare(TestControlPlane plane) throws Exception {
    plane
        .client()
        .resource(
            new NamespaceBuilder().withNewMetadata().withName(NAMESPACE).endMetadata().build())
        .create();
    TestControlPlane.await(
        "the namespace's account",
        PATIENCE,
        () ->
            plane.client().serviceAccounts().inNamespace(NAMESPACE).withName("default").get()
                != null);
  }

  private static String create(TestControlPlane plane, String name) {
    DeploymentFluent<?>.SpecNested<DeploymentBuilder> spec =
        new DeploymentBuilder()
            .withNewMetadata()
            .withName(name)
            .withNamespace(NAMESPACE)
            .endMetadata()
            .withNewSpec();
    plane
        .client()
        .resource(
            spec.withReplicas(REPLICAS)
                .withNewSelector()
                .addToMatchLabels("app", name)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", name)
                .endMetadata()
                .withNewSpec()
                .withTerminationGracePeriodSeconds(0L)
                .addNewContainer()
                .withName("main")
                .withImage("registry.k8s.io/pause:3.10")
                .withNewResources()
                .addToRequests(Map.of("cpu", new Quantity("2"), "memory", new Quantity("4Gi")))
                .endResources()
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build())
        .create();
    return name;
  }

  private static void delete(TestControlPlane plane, String name) {
    plane.client().apps().deployments().inNamespace(NAMESPACE).withName(name).delete();
  }

  /** Waits until so many pods have been bound since the start, whatever became of them. */
  private void awaitBound(TestControlPlane plane, int pods) throws Exception {
    TestControlPlane.await(
        pods + " pods to be bound",
        PATIENCE,
        () -> {
          if (System.nanoTime() - sampled >= SAMPLE_NANOS) {
            sample(plane);
          }
          return bound(plane.schedulerMetrics()) >= pods;
        });
  }

  private static double bound(MetricsPage scheduler) {
    double sum = scheduler.sum("berth_placements_total");
    return Double.isNaN(sum) ? 0 : sum; // no series yet
  }

  private static double dropped(TestControlPlane plane) throws Exception {
    double sum = plane.schedulerMetrics().sum("berth_outcomes_dropped_total");
    return Double.isNaN(sum) ? 0 : sum;
  }

  private static boolean booksAreRight(TestControlPlane plane) throws Exception {
    long running =
        plane.client().pods().inNamespace(NAMESPACE).list().getItems().stream()
            .filter(LivePods::occupies)
            .count();
    return MetricsPage.read(plane.url("service") + "/metrics").sum("berth_pods") == running;
  }

  private static Map<String, Integer> pids(TestControlPlane plane) throws Exception {
    Map<String, Integer> pids = new TreeMap<>();
    for (Component component : plane.cluster().status().components()) {
      pids.put(component.name(), component.pid());
    }
    return pids;
  }

  private void sample(TestControlPlane plane) throws Exception {
    sampled = System.nanoTime();
    MetricsPage scheduler = plane.schedulerMetrics();
    Map<String, Double> calls = scheduler.byLabel(CALLS, "le");
    Map<String, Double> resident = new TreeMap<>();
    for (Map.Entry<String, Integer> process : pids(plane).entrySet()) {
      resident.put(process.getKey(), residentMiB(process.getValue()));
    }
    SoakSample now =
        new SoakSample(
            (sampled - begun) / 1e9,
            bound(scheduler),
            bound(scheduler) - scheduler.value("berth_placements_total", "decided_by", "service"),
            SoakSample.quantile(callsBefore, calls, 0.5),
            SoakSample.quantile(callsBefore, calls, 0.99),
            resident);
    callsBefore = calls;
    samples.add(now);
    System.out.println("soak: " + now);
  }

  private static double residentMiB(int pid) throws IOException {
    try {
      for (String line : Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status"))) {
        if (line.startsWith("VmRSS:")) {
          return Double.parseDouble(line.replaceAll("\\D", "")) / 1024;
        }
      }
    } catch (NoSuchFileException e) {
      return Double.NaN; // it has ended; the end of the run says so
    }
    return Double.NaN;
  }
}
