package dev.berth.service.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.Given;
import dev.berth.service.Service;
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
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A service with 24 nodes in three zones, the last of which was never measured and the first of
 * which have GPU cards; pods are placed where it says.
 */
final class SmallCluster implements AutoCloseable {
  static final int NODES = 24;
  private static final ObjectMapper JSON = new ObjectMapper();
  private final HttpClient client = HttpClient.newHttpClient();
  private final FakePrometheus prometheus = new FakePrometheus().onTheClock();
  private final Path folder;
  private final int[] requestedMilli = new int[NODES];
  private final int[] pods = new int[NODES];
  private final double[] cores = new double[NODES];
  private final Random random = new Random(4);
  final Service service;

  SmallCluster(Path folder, Map<String, String> settings) throws IOException {
    this.folder = folder;
    for (int i = 0; i < NODES; i++) {
      cores[i] = i == 5 ? 61 : 6 + 2 * (i % 12);
      requestedMilli[i] = 12_000 + 1_000 * (i * 7 % 12);
    }
    measure();
    Map<String, String> environment = new HashMap<>();
    environment.put("BERTH_PROMETHEUS_URL", prometheus.url());
    environment.put("BERTH_PROMETHEUS_INTERVAL", "500ms");
    environment.put("BERTH_PROMETHEUS_WINDOW", "1s");
    environment.put("BERTH_PROMETHEUS_QUERIES_LATENCY", "");
    environment.put("BERTH_PROMETHEUS_QUERIES_CONNECTIONS", "");
    environment.put("BERTH_PROMETHEUS_QUERIES_CPU", "cpu");
    environment.put("BERTH_PROMETHEUS_QUERIES_MEMORY", "memory");
    environment.put("BERTH_PROMETHEUS_QUERIES_SAMPLED_AT", "sampled");
    environment.put("BERTH_PROMETHEUS_QUERIES_CPU_CAPACITY", "cores");
    environment.put("BERTH_PROMETHEUS_QUERIES_MEMORY_CAPACITY", "bytes");
    environment.put("BERTH_TRAINER_SETTLE", "1s");
    environment.put("BERTH_TRAINER_WINDOW", "1s");
    environment.put("BERTH_TRAINER_LEARNING_STARTS", "20");
    environment.put("BERTH_TRAINER_JUDGE", "500ms");
    environment.putAll(settings);
    service = Given.service(folder, environment);
  }

  String url() {
    return "http://127.0.0.1:" + service.readPort() + "/";
  }

  String token() throws IOException {
    return Files.readString(folder.resolve("token")).strip();
  }

  static String node(int i) {
    return "node-%02d".formatted(i);
  }

  private void measure() {
    prometheus.answers("cpu", measured(i -> "%.2f".formatted(cores[i])));
    prometheus.answers("memory", measured(i -> String.valueOf((20 + 3L * i) << 30)));
    prometheus.answers("sampled", measured(i -> "@"));
    prometheus.answers("cores", measured(i -> "64"));
    prometheus.vector(
        "ALERTS{alertname=~\"Berth.+\",alertstate=\"firing\"}",
        "{\"metric\":{\"__name__\":\"ALERTS\",\"alertname\":\"BerthForecastOff\",\"alertstate\":\"firing\","
            + "\"severity\":\"warning\",\"horizon\":\"5m\"},\"value\":[@,\"1\"]}");
    prometheus.answers("bytes", measured(i -> String.valueOf(256L << 30)));
  }

  private static String[] measured(IntFunction<String> value) {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < NODES - 1; i++) {
      pairs.add(node(i) + ":9100");
      pairs.add(value.apply(i));
    }
    return pairs.toArray(String[]::new);
  }

  /** Asks about pods, binds them where the service prefers, and lets their nodes use more. */
  void place(int from, int to, String mode) throws Exception {
    List<String> events = new ArrayList<>();
    for (int p = from; p < to; p++) {
      String owner = new String[] {"web", "api", "worker", "cache"}[p % 4];
      String pod =
          "{\"uid\":\"uid-%d\",\"name\":\"%s-%d\",\"namespace\":\"shop\",\"owner\":\"shop/Deployment/%s\",\"cpuMilli\":%d,\"memoryBytes\":536870912%s}"
              .formatted(
                  p,
                  owner,
                  p,
                  owner,
                  500 + 250 * (p % 3),
                  p % 20 == 0 ? ",\"gpu\":{\"count\":1,\"milli\":500}" : "");
      String decision = "uid-" + p + "/1";
      JsonNode reply =
          post(
              "/v1/score",
              "{\"decision\":\"%s\",\"scheduler\":\"default-scheduler/test\",\"mode\":\"%s\",\"pod\":%s,\"nodes\":%s}"
                  .formatted(decision, mode, pod, nodes(p % 20 == 0)));
      int best = best(reply);
      requestedMilli[best] += 500;
      pods[best]++;
      cores[best] += 0.2 + 0.3 * random.nextDouble();
      events.add(
          "{\"type\":\"bound\",\"at\":\"%s\",\"decision\":\"%s\",\"node\":\"%s\",\"pod\":%s}"
              .formatted(Instant.now(), decision, node(best), pod));
    }
    post("/v1/outcomes", "{\"events\":[" + String.join(",", events) + "]}");
    measure();
  }

  private static int best(JsonNode reply) {
    int best = 0;
    for (int i = 0; i < NODES; i++) {
      if (reply.path("scores").get(i).asInt() > reply.path("scores").get(best).asInt()) {
        best = i;
      }
    }
    return best;
  }

  private String nodes(boolean cards) {
    return "{\"names\":%s,\"cpuMilli\":%s,\"memoryBytes\":%s,\"podLimit\":%s,\"cpuRequestedMilli\":%s,\"memoryRequestedBytes\":%s,\"podCount\":%s,\"pendingCpuMilli\":%s,\"pendingMemoryBytes\":%s,\"pendingPods\":%s,\"zones\":%s,\"racks\":%s%s}"
        .formatted(
            column(i -> '"' + node(i) + '"'),
            column(i -> "64000"),
            column(i -> String.valueOf(256L << 30)),
            column(i -> "110"),
            column(i -> String.valueOf(requestedMilli[i])),
            column(i -> String.valueOf((30 + 2L * i) << 30)),
            column(i -> String.valueOf(12 + pods[i])),
            column(i -> "0"),
            column(i -> "0"),
            column(i -> "0"),
            column(i -> "\"zone-" + "abc".charAt(i / 8) + '"'),
            column(i -> "\"rack-" + i / 4 + '"'),
            cards
                ? ",\"gpuModels\":%s,\"gpuFreeMilli\":%s"
                    .formatted(
                        column(i -> i < 4 ? "\"T4\"" : "\"\""),
                        column(i -> i < 4 ? "[1000,500,0,%d]".formatted(250 * i) : "[]"))
                : "");
  }

  private static String column(IntFunction<String> value) {
    return IntStream.range(0, NODES).mapToObj(value).collect(Collectors.joining(",", "[", "]"));
  }

  private JsonNode post(String path, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + service.schedulerPort() + path))
            .header("Authorization", "Bearer " + token())
            .POST(BodyPublishers.ofString(body))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new IllegalStateException(response.body());
    }
    return JSON.readTree(response.body());
  }

  @Override
  public void close() {
    service.close();
    prometheus.close();
  }
}
