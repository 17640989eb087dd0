package dev.berth.workbench.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.workbench.live.LocalCluster.Component;
import dev.berth.workbench.metrics.MetricsPage;
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
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;

/**
 * A real control plane with Berth for tests: on free ports, in a folder of its own that is deleted
 * with it.
 *
 * <p>Thread rule: one test at a time.
 */
public final class TestControlPlane implements AutoCloseable {
  /** A cluster has eleven ports: cluster/cluster.yaml. */
  private static final int PORTS = 11;

  private final HttpClient http = HttpClient.newHttpClient();
  private final Path root = Path.of(System.getProperty("berth.root"));
  private final Path folder;
  private final LocalCluster cluster;
  private final Thread interrupted = new Thread(this::abandon, "stop-control-plane");
  private KubernetesClient client;

  /**
   * Starts it, with the service and the scheduler that asks it.
   *
   * @param settings as in cluster/cluster.yaml
   */
  public TestControlPlane(String settings) throws IOException, InterruptedException {
    folder = Files.createTempDirectory("berth-test");
    Path file = Files.writeString(folder.resolve("cluster.yaml"), settings);
    cluster =
        new LocalCluster(
            program("berth-cluster"),
            List.of(
                "--root", root.toString(),
                "--settings", file.toString(),
                "--state", folder().toString(),
                "--port-base", String.valueOf(freePorts())));
    Runtime.getRuntime().addShutdownHook(interrupted);
    try {
      cluster.quietly("up");
      cluster.quietly(Map.of("BERTH_RECORDING_FILE", recording().toString()), "start", "service");
      cluster.quietly("restart-scheduler", "--with", "berth");
      client = Kube.connect(cluster.status().kubeconfig());
    } catch (IOException | InterruptedException | RuntimeException e) {
      try {
        close(); // what did start would burden every later test
      } catch (IOException left) {
        e.addSuppressed(left);
      }
      throw e;
    }
  }

  public LocalCluster cluster() {
    return cluster;
  }

  public KubernetesClient client() {
    return client;
  }

  /** Stops everything; the data stays. */
  public void down() throws IOException, InterruptedException {
    client.close();
    cluster.quietly("down");
  }

  /** Starts it again. */
  public void up() throws IOException, InterruptedException {
    cluster.quietly("up");
    cluster.quietly("start", "service");
    client = Kube.connect(cluster.status().kubeconfig());
  }

  /** Where the cluster keeps everything. */
  public Path folder() {
    return folder.resolve("state");
  }

  /** What the service was asked and told since its first start, until it is killed or stopped. */
  public Path recording() {
    return folder().resolve("service.recording");
  }

  /** A program that {@code make tools} built. */
  public Path program(String name) {
    return root.resolve(".build/bin").resolve(name);
  }

  public Component component(String name) throws IOException, InterruptedException {
    return cluster.status().component(name);
  }

  public String url(String component) throws IOException, InterruptedException {
    return component(component).url();
  }

  public String get(String url) throws IOException, InterruptedException {
    return http.send(
            HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(5)).build(),
            BodyHandlers.ofString())
        .body();
  }

  /** The scheduler's own page: exact at this instant. */
  public MetricsPage schedulerMetrics() throws IOException, InterruptedException {
    return MetricsPage.read(url("kube-scheduler") + "/metrics");
  }

  /** Pods that were placed by the service's scores, or by the other plugins ("fallback"). */
  public double placements(String by) throws IOException, InterruptedException {
    return schedulerMetrics().value("berth_placements_total", "decided_by", by);
  }

  /** Waits for something and returns the seconds it took. */
  public static double await(String what, Duration most, Callable<Boolean> happened)
      throws Exception {
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
    Runtime.getRuntime().removeShutdownHook(interrupted);
    if (client != null) {
      client.close();
    }
    delete();
  }

  /** Ctrl-C in a test: the cluster's processes are in sessions of their own and would go on. */
  private void abandon() {
    try {
      delete();
    } catch (IOException | InterruptedException e) {
      System.err.println("the control plane in " + folder + " is not stopped: " + e.getMessage());
    }
  }

  private void delete() throws IOException, InterruptedException {
    cluster.quietly("down", "--delete");
    Files.deleteIfExists(folder.resolve("cluster.yaml"));
    Files.deleteIfExists(folder);
  }

  /** The first of as many free ports as a cluster has. */
  static int freePorts() {
    for (int base = 23700; base < 24000; base += 20) {
      int first = base;
      if (IntStream.range(first, first + PORTS).allMatch(TestControlPlane::free)) {
        return base;
      }
    }
    throw new IllegalStateException("no " + PORTS + " free ports from 23700 on");
  }

  private static boolean free(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
