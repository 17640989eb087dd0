package dev.berth.workbench.live;

import dev.berth.workbench.Folders;
import dev.berth.workbench.live.LocalCluster.Status;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Sets the stage of a turn: an empty cluster, the right scheduler, a service that has learned
 * nothing yet, and a usage model whose clock reads the same when the turn begins.
 */
final class Stage {
  static final String NGINX_NAMESPACE = "default";

  private static final int WARM_UP_QUESTIONS = 200;

  private final LocalCluster cluster;
  private final KubernetesClient client;
  private final long usageSeed;
  private final boolean keepLearned;

  /**
   * @param usageSeed of what the pods use
   * @param keepLearned go on from what the service learned before instead of from its start model
   */
  Stage(LocalCluster cluster, KubernetesClient client, long usageSeed, boolean keepLearned) {
    this.cluster = cluster;
    this.client = client;
    this.usageSeed = usageSeed;
    this.keepLearned = keepLearned;
  }

  /**
   * Prepares a turn.
   *
   * @param scheduler stock or berth
   * @return the epoch second at which the turn begins, in the past when preparations took too long
   */
  long set(String scheduler) throws IOException, InterruptedException {
    clean();
    cluster.quietly("stop", "service");
    cluster.quietly(
        "restart", "usage-exporter", "--new-day", "--usage-seed", String.valueOf(usageSeed));
    Status status = cluster.status();
    long origin = Long.parseLong(Files.readString(status.folder().resolve("usage-origin")).strip());
    cluster.quietly("restart-scheduler", "--with", scheduler);
    if (scheduler.equals("berth")) {
      startService(status);
    }
    return origin + (long) Timetable.BEGIN;
  }

  private void clean() throws InterruptedException {
    client
        .apps()
        .deployments()
        .inNamespace(NGINX_NAMESPACE)
        .withName("nginx")
        .withTimeout(30, TimeUnit.SECONDS)
        .delete();
    for (String namespace : Cleaner.workloadNamespaces(client)) {
      Cleaner.empty(client, namespace, Duration.ofSeconds(60));
    }
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!client
        .pods()
        .inNamespace(NGINX_NAMESPACE)
        .withLabel("app", "nginx")
        .list()
        .getItems()
        .isEmpty()) {
      client
          .pods()
          .inNamespace(NGINX_NAMESPACE)
          .withLabel("app", "nginx")
          .withGracePeriod(0)
          .delete();
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the nginx pods of an earlier run do not go away");
      }
      Thread.sleep(100);
    }
  }

  private void startService(Status status) throws IOException, InterruptedException {
    Path learned = status.folder().resolve("service");
    if (!keepLearned) {
      Folders.delete(learned);
    }
    cluster.quietly(
        Map.of("BERTH_RECORDING_FILE", recording(status).toString()), "start", "service");
    awaitReady(status.component("service").url());
  }

  private static Path recording(Status status) {
    return status.folder().resolve("service/recording.jsonl.gz");
  }

  /**
   * Ends the recording of Berth's turn by moving it away, adds what the nodes really did, and puts
   * it where it is kept. The service runs on, with all that it learned and recording no more.
   *
   * @param begins epoch second from which on the truth is added
   */
  void keepRecording(long begins, Path to) throws IOException, InterruptedException {
    Status status = cluster.status();
    Path ended = recording(status).resolveSibling("ended.jsonl.gz");
    Files.move(recording(status), ended, StandardCopyOption.REPLACE_EXISTING);
    addTruth(ended, status.component("usage-exporter").url(), begins);
    Files.createDirectories(to.toAbsolutePath().getParent());
    Files.move(ended, to, StandardCopyOption.REPLACE_EXISTING);
  }

  /** The service sees within a second or two that the file was moved, and makes it whole. */
  private static void addTruth(Path ended, String exporter, long begins)
      throws IOException, InterruptedException {
    for (int tries = 20; ; tries--) {
      try {
        Truth.addTo(ended, exporter, begins);
        return;
      } catch (IllegalArgumentException notWholeYet) {
        if (tries == 0) {
          throw notWholeYet;
        }
      }
      Thread.sleep(500);
    }
  }

  /** The service is ready once it has pulled measurements. */
  private static void awaitReady(String service) throws IOException, InterruptedException {
    HttpClient http = HttpClient.newHttpClient();
    HttpRequest ask = request(service + "/readyz");
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (true) {
      var answer = http.send(ask, BodyHandlers.ofString());
      if (answer.statusCode() == 200) {
        break;
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the service is not ready: " + answer.body());
      }
      Thread.sleep(250);
    }
    // A JVM's first answers can take longer than the plugin waits; these requests change nothing.
    for (int i = 0; i < WARM_UP_QUESTIONS; i++) {
      http.send(request(service + "/score?cpu=500m&memory=128Mi"), BodyHandlers.discarding());
    }
  }

  private static HttpRequest request(String url) {
    return HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(5)).build();
  }
}
