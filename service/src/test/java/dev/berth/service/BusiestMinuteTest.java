package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.probe.KeptAliveClient;
import dev.berth.service.probe.SyntheticCluster;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Some seconds of 10,000 decisions a minute with their binds, over HTTP into the store, while the
 * page is looked at, pods are explained, and somebody asks for the page's figures and does not read
 * them.
 */
@Timeout(120)
class BusiestMinuteTest {
  private static final int PER_MINUTE = 10_000;
  private static final int SECONDS = Integer.getInteger("berth.busy.seconds", 6);
  private static final int DECISIONS = PER_MINUTE / 60 * SECONDS;
  private static final int NODES = 100;
  private static final int BATCH = 50;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String UID = "6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a11";

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Long> pageMillis = Collections.synchronizedList(new ArrayList<>());

  @Test
  void nothingAcknowledgedIsLostMemoryIsBoundedAndThePageCanBeRead(@TempDir Path folder)
      throws Exception {
    Map<String, String> settings =
        Map.of(
            "BERTH_SERVER_OPEN_READS",
            "true",
            "BERTH_SCORING_POLICY",
            "predict-then-greedy",
            "BERTH_STORE_DECISIONS",
            "4MiB");
    List<String> acknowledged = new ArrayList<>();
    try (Service service = Given.service(folder, settings);
        Socket doesNotRead = doesNotRead(service.readPort())) {
      String token = Files.readString(folder.resolve("token")).strip();
      CompletableFuture<Void> reader = new CompletableFuture<>();
      Thread page = new Thread(() -> look(service, reader), "page");
      page.start();
      long before = used();
      double[] millis = decide(service, token, acknowledged);
      reader.complete(null);
      page.join();
      assertThat(doesNotRead.isConnected()).isTrue();

      assertThat(acknowledged).hasSize(DECISIONS);
      assertThat(get(service, "/metrics").lines())
          .filteredOn(line -> line.startsWith("berth_dropped_total"))
          .isNotEmpty()
          .allMatch(line -> line.endsWith(" 0.0"));
      for (String decision : acknowledged) {
        JsonNode kept = JSON.readTree(get(service, "/v1/decisions/" + decision));
        assertThat(kept.path("node").asText()).as(decision).startsWith("worker-");
      }
      long grown = used() - before;
      assertThat(grown).as("bytes more on the heap").isLessThan(100L << 20);
      assertThat(pageMillis).hasSizeGreaterThan(SECONDS);
      System.out.printf(
          "%d decisions and binds in %d s; score p50 %.1f, p99 %.1f ms; page and explain p50 %d, longest %d ms; heap %+d MiB%n",
          DECISIONS,
          SECONDS,
          at(millis, 0.5),
          at(millis, 0.99),
          pageMillis.stream().sorted().toList().get(pageMillis.size() / 2),
          Collections.max(pageMillis),
          grown >> 20);
    }
    try (Service again = Given.service(folder, settings)) {
      assertThat(again.scorer().runningPods())
          .as("of all it knows after a restart")
          .isEqualTo(DECISIONS);
    }
  }

  /**
   * Asks at the rate, whether or not the answer before was late; in binds' batches as a scheduler.
   */
  private double[] decide(Service service, String token, List<String> acknowledged)
      throws Exception {
    SyntheticCluster cluster = new SyntheticCluster(NODES);
    cluster.fill(service.scorer());
    double[] millis = new double[DECISIONS];
    List<String> events = new ArrayList<>();
    List<String> batch = new ArrayList<>();
    try (KeptAliveClient scores = new KeptAliveClient(service.schedulerPort(), "/v1/score", token);
        KeptAliveClient outcomes =
            new KeptAliveClient(service.schedulerPort(), "/v1/outcomes", token)) {
      long begun = System.nanoTime();
      for (int i = 0; i < DECISIONS; i++) {
        TimeUnit.NANOSECONDS.sleep(begun + i * 60_000_000_000L / PER_MINUTE - System.nanoTime());
        byte[] question = scores.request(SyntheticCluster.COLUMNS, cluster.columnsRequest(i));
        long sent = System.nanoTime();
        scores.send(question);
        millis[i] = (System.nanoTime() - sent) / 1e6;
        batch.add(UID + "/" + i);
        events.add(bound(i));
        if (batch.size() == BATCH || i + 1 == DECISIONS) {
          String body = "{\"events\":[" + String.join(",", events) + "]}";
          outcomes.send(outcomes.request(body.getBytes(StandardCharsets.UTF_8)));
          acknowledged.addAll(batch);
          events.clear();
          batch.clear();
        }
      }
      assertThat((System.nanoTime() - begun) / 1e9).as("seconds").isLessThan(2.0 * SECONDS);
    }
    return millis;
  }

  private static String bound(int i) {
    return """
    {"type":"bound","at":"%s","decision":"%s/%d","node":"worker-%04d.cluster.local",\
    "pod":{"uid":"pod-%d","name":"app-%d","namespace":"default","owner":"default/ReplicaSet/app-%d","cpuMilli":500}}\
    """
        .formatted(Instant.now(), UID, i, i % NODES, i, i, i % 50);
  }

  /** A page that is open, and somebody who explains the newest pod. */
  private void look(Service service, CompletableFuture<Void> until) {
    while (!until.isDone()) {
      try {
        long begun = System.nanoTime();
        JsonNode newest = JSON.readTree(get(service, "/v1/page/decisions")).path("decisions");
        get(service, "/v1/page/loads");
        if (!newest.isEmpty()) {
          get(service, "/v1/decisions/" + newest.path(0).path("decision").asText());
        }
        pageMillis.add((System.nanoTime() - begun) / 1_000_000);
        TimeUnit.MILLISECONDS.sleep(200);
      } catch (Exception e) {
        throw new AssertionError("the page cannot be read", e);
      }
    }
  }

  /** Many requests, so that the answers fill every buffer on the way. */
  private static Socket doesNotRead(int port) throws Exception {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    for (int i = 0; i < 200; i++) {
      socket
          .getOutputStream()
          .write(
              "GET /v1/page/decisions HTTP/1.1\r\nHost: x\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
    }
    return socket;
  }

  private String get(Service service, String path) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.readPort() + path)).build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
    return response.body();
  }

  private static long used() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static double at(double[] values, double quantile) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) (quantile * (sorted.length - 1))];
  }
}
