package dev.berth.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.berth.service.config.ConfigLoader;
import dev.berth.service.prometheus.FakePrometheus;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A running service and all that speaks to it: a Prometheus that measures four nodes of 64 cores,
 * {@code n0} to {@code n3}, of which a pod on each uses 8, 16, 24 and 32, and a scheduler.
 */
public final class FourNodes implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String POD_READING =
      ConfigLoader.load(null, Map.of("BERTH_PROMETHEUS_QUERIES_POD_CPU_SECONDS", "pods"))
          .prometheus()
          .queries()
          .podReading(List.of("namespace", "pod", "job", "node", "instance"));

  private final HttpClient client = HttpClient.newHttpClient();
  private final FakePrometheus prometheus;
  private final Path state;
  private final Service service;

  /**
   * @param clock of the service and of Prometheus
   * @param settings more environment of the service, or other
   */
  public FourNodes(Path state, FastClock clock, Map<String, String> settings)
      throws IOException, InterruptedException {
    this.state = state;
    prometheus = measured(clock);
    Map<String, String> environment = asking(prometheus);
    environment.put("BERTH_SERVER_OPEN_READS", "true");
    environment.putAll(settings);
    service = Given.service(state, environment, clock);
    running(clock.instant().minus(Duration.ofHours(1)));
    score("first", "\"contract\":2,\"scheduler\":\"s/0\",\"mode\":\"shadow\","); // names the nodes
  }

  /** A pod on each node, which uses what it requests. */
  private void running(Instant since) throws IOException, InterruptedException {
    List<String> events = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      String pod = "{\"uid\":\"old-%d\",\"owner\":\"shop/Pod/old-%d\",\"cpuMilli\":%d}";
      events.add(
          """
          {"type":"assigned","at":"%s","node":"n%d","pod":%s}\
          """
              .formatted(since, i, pod.formatted(i, i, 8_000 * (i + 1))));
    }
    post("/v1/outcomes", "{\"events\":[" + String.join(",", events) + "]}");
  }

  /** A Prometheus that has measured them. */
  static FakePrometheus measured(InstantSource clock) throws IOException {
    return new FakePrometheus()
        .on(clock)
        .vector(POD_READING, "")
        .answers("cpu", perNode("8", "16", "24", "32"))
        .answers("memory", perNode("1e9", "1e9", "1e9", "1e9"))
        .answers("sampled", perNode("@", "@", "@", "@"))
        .answers("cores", perNode("64", "64", "64", "64"))
        .answers("bytes", perNode("1e11", "1e11", "1e11", "1e11"));
  }

  private static String[] perNode(String... values) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      pairs.add("n" + i + ":9100");
      pairs.add(values[i]);
    }
    return pairs.toArray(String[]::new);
  }

  /** Environment of a service that asks it ten times a second. */
  static Map<String, String> asking(FakePrometheus prometheus) {
    Map<String, String> settings = new HashMap<>();
    settings.put("BERTH_PROMETHEUS_URL", prometheus.url());
    settings.put("BERTH_PROMETHEUS_INTERVAL", "100ms");
    settings.put("BERTH_PROMETHEUS_WINDOW", "1s");
    for (String query : List.of("LATENCY", "CONNECTIONS")) {
      settings.put("BERTH_PROMETHEUS_QUERIES_" + query, "");
    }
    settings.put("BERTH_PROMETHEUS_QUERIES_CPU", "cpu");
    settings.put("BERTH_PROMETHEUS_QUERIES_MEMORY", "memory");
    settings.put("BERTH_PROMETHEUS_QUERIES_SAMPLED_AT", "sampled");
    settings.put("BERTH_PROMETHEUS_QUERIES_CPU_CAPACITY", "cores");
    settings.put("BERTH_PROMETHEUS_QUERIES_MEMORY_CAPACITY", "bytes");
    settings.put("BERTH_PROMETHEUS_QUERIES_POD_CPU_SECONDS", "pods");
    settings.put("BERTH_PROMETHEUS_QUERIES_POD_MEMORY", "");
    return settings;
  }

  /** Waits until scores rest on what was measured. */
  public void awaitSamples() throws IOException, InterruptedException {
    while (get("/v1/what-if").at("/nodes/sampleAgeSeconds/3").isMissingNode()) {
      TimeUnit.MILLISECONDS.sleep(20);
    }
  }

  /**
   * A decision of which it is known what its pod's node used later; missing while there is none.
   */
  public JsonNode measured() throws IOException, InterruptedException {
    for (JsonNode decision : get("/v1/decisions?limit=100").path("decisions")) {
      if (decision.path("measured").isObject()) {
        return decision;
      }
    }
    return MissingNode.getInstance();
  }

  /** Share of a node's CPU that is expected to be in use now; NaN while nothing is known of it. */
  public double expected(String node) throws IOException, InterruptedException {
    JsonNode nodes = get("/v1/what-if").path("nodes");
    for (int i = 0; i < nodes.path("node").size(); i++) {
      if (nodes.path("node").path(i).asText().equals(node)) {
        return nodes.path("expected").path(i).path(0).asDouble(Double.NaN);
      }
    }
    return Double.NaN;
  }

  /**
   * From now on the pod that is there from the start on {@code n0} is measured, too: it uses one
   * core of the node's eight.
   */
  public void podsAreMeasured() {
    String series =
        "{\"metric\":{\"pod\":\"old-0\",\"instance\":\"n0:9100\",\"berth_quantity\":\"%s\"},\"value\":[@,\"@\"]}";
    prometheus.vector(
        POD_READING, series.formatted("cpu-seconds") + "," + series.formatted("sampled-at"));
  }

  /** How often it was asked what pods use: how soon again depends on how dear it was. */
  public int askedForPods() {
    return prometheus.askedFor(POD_READING);
  }

  /** Cores that are used from now on, by node. */
  public void uses(String... cores) {
    prometheus.answers("cpu", perNode(cores));
  }

  public Service service() {
    return service;
  }

  /** Where people ask. */
  public String url() {
    return "http://127.0.0.1:" + service.readPort();
  }

  public JsonNode get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path)).build();
    return JSON.readTree(client.send(request, BodyHandlers.ofString()).body());
  }

  /** What the service answers a scheduler, which must be all right. */
  public JsonNode post(String path, String body) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.schedulerPort() + path))
            .header("Authorization", "Bearer " + Files.readString(state.resolve("token")).strip())
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return JSON.readTree(response.body());
  }

  /**
   * Asks for the scores of a pod of 250m of {@code shop/ReplicaSet/web}.
   *
   * @param fields of the question, more JSON, such as {@code "mode":"shadow",}
   */
  public JsonNode score(String uid, String fields) throws IOException, InterruptedException {
    return post(
        "/v1/score",
        """
        {"decision":"%s/1",%s"pod":%s,"nodes":{"names":["n0","n1","n2","n3"],
        "cpuMilli":[64000,64000,64000,64000],"memoryBytes":[100000000000,100000000000,100000000000,100000000000],
        "podLimit":[110,110,110,110],"cpuRequestedMilli":[8000,16000,24000,32000],
        "memoryRequestedBytes":[1,1,1,1],"podCount":[1,1,1,1],"pendingCpuMilli":[0,0,0,0],
        "pendingMemoryBytes":[0,0,0,0],"pendingPods":[0,0,0,0]}}
        """
            .formatted(uid, fields, pod(uid)));
  }

  /**
   * Tells that the pod of {@link #score} is bound.
   *
   * @param fields of the batch, more JSON, such as {@code "sentAt":"...",}
   * @param at by the scheduler's clock
   */
  public void bound(String uid, String node, String fields, Object at)
      throws IOException, InterruptedException {
    post(
        "/v1/outcomes",
        """
        {%s"events":[{"type":"bound","at":"%s","decision":"%s/1","node":"%s","pod":%s}]}
        """
            .formatted(fields, at, uid, node, pod(uid)));
  }

  private static String pod(String uid) {
    return """
    {"uid":"%s","name":"%s","namespace":"shop","owner":"shop/ReplicaSet/web","cpuMilli":250}\
    """
        .formatted(uid, uid);
  }

  @Override
  public void close() {
    service.close();
    prometheus.close();
  }
}
