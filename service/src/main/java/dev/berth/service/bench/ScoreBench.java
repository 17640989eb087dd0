package dev.berth.service.bench;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.service.Service;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.scoring.OutcomeEvent;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Latency of {@code POST /v1/score} over a kept-alive loopback connection, by number of candidates.
 * The service runs as in production: bookkeeping with ten pods a node and fresh samples, experience
 * store on disk, metrics.
 */
public final class ScoreBench {
  private static final int PODS_PER_NODE = 10;
  private static final int OWNERS = 100;
  private static final int MOST_NANOS = 2_000_000_000;

  /** One line of the table; times in microseconds. */
  public record Row(
      int candidates, int bodyBytes, long p50, long p99, long max, double perSecond) {}

  private final ServiceConfig config;
  private final int requests;

  /**
   * @param config {@code state-folder} must be empty, {@code server.port} 0
   */
  public ScoreBench(ServiceConfig config, int requests) {
    this.config = config;
    this.requests = requests;
  }

  /**
   * @param step told after every request
   */
  public Row run(int candidates, Consumer<Integer> step) throws IOException {
    try (Service service = Service.start(config)) {
      String token = Files.readString(Path.of(config.stateFolder(), "token")).strip();
      fill(service, candidates);
      try (KeptAliveClient client = new KeptAliveClient(service.port(), "/v1/score", token)) {
        byte[][] asked = new byte[16][];
        for (int i = 0; i < asked.length; i++) {
          asked[i] = client.request(body(candidates, i));
        }
        for (int i = 0; i < requests; i++) {
          client.send(asked[i % asked.length]);
          step.accept(1);
        }
        Histogram nanos = new Histogram(MOST_NANOS, 3);
        long start = System.nanoTime();
        for (int i = 0; i < requests; i++) {
          long sent = System.nanoTime();
          client.send(asked[i % asked.length]);
          nanos.recordValue(Math.min(MOST_NANOS, System.nanoTime() - sent));
          step.accept(1);
        }
        double seconds = (System.nanoTime() - start) * 1e-9;
        return new Row(
            candidates,
            body(candidates, 0).length,
            nanos.getValueAtPercentile(50) / 1000,
            nanos.getValueAtPercentile(99) / 1000,
            nanos.getMaxValue() / 1000,
            requests / seconds);
      }
    }
  }

  private static void fill(Service service, int candidates) {
    SplittableRandom random = new SplittableRandom(1);
    double now = service.scorer().now();
    List<OutcomeEvent> events = new ArrayList<>();
    List<NodeSample> samples = new ArrayList<>();
    for (int node = 0; node < candidates; node++) {
      for (int pod = 0; pod < PODS_PER_NODE; pod++) {
        String uid = node + "-" + pod;
        events.add(
            new OutcomeEvent(
                OutcomeEvent.Type.ASSIGNED,
                now - 600,
                null,
                uid,
                name(node),
                pod(uid, pod, random)));
      }
      samples.add(
          new NodeSample(
              name(node), now - 60, now - 1, random.nextDouble(1, 32), 64e9, 100, Double.NaN));
    }
    service.scorer().apply(events);
    service.scorer().observe(samples, 1);
  }

  private static Pod pod(String uid, int i, SplittableRandom random) {
    String owner = "default/ReplicaSet/app-" + random.nextInt(OWNERS);
    return new Pod(
        uid,
        "p-" + uid,
        "default",
        owner,
        0,
        500 + 100 * i,
        1L << 30,
        GpuRequest.NONE,
        LatencyLimits.NONE);
  }

  private static String name(int node) {
    return "worker-%04d.cluster.local".formatted(node);
  }

  private static byte[] body(int n, int variant) {
    SplittableRandom random = new SplittableRandom(variant);
    StringBuilder json = new StringBuilder(160 * n + 500);
    json.append(
        """
        {"decision":"6f0d6a1e-5d5c-4f6b-9a53-0c1e4b0a7a11/%1$d","scheduler":"bench/0","mode":"active",\
        "pod":{"uid":"6f0d6a1e-%1$d","name":"app-x","namespace":"default",\
        "owner":"default/ReplicaSet/app-%1$d","priority":0,"cpuMilli":500,"memoryBytes":1073741824},\
        "nodes":{"""
            .formatted(variant));
    column(json, "names", n, i -> json.append('"').append(name(i)).append('"'));
    column(json, "cpuMilli", n, i -> json.append(64_000));
    column(json, "memoryBytes", n, i -> json.append(274_877_906_944L));
    column(json, "podLimit", n, i -> json.append(110));
    column(json, "cpuRequestedMilli", n, i -> json.append(random.nextInt(5_000, 50_000)));
    column(json, "memoryRequestedBytes", n, i -> json.append(random.nextLong(1L << 30, 1L << 37)));
    column(json, "podCount", n, i -> json.append(random.nextInt(10, 60)));
    column(json, "pendingCpuMilli", n, i -> json.append(0));
    column(json, "pendingMemoryBytes", n, i -> json.append(0));
    column(json, "pendingPods", n, i -> json.append(0));
    column(json, "zones", n, i -> json.append("\"zone-").append(i % 3).append('"'));
    column(json, "racks", n, i -> json.append("\"rack-").append(i % 40).append('"'));
    json.setLength(json.length() - 1);
    return json.append("}}").toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void column(StringBuilder json, String name, int n, Consumer<Integer> value) {
    json.append('"').append(name).append("\":[");
    for (int i = 0; i < n; i++) {
      value.accept(i);
      json.append(i + 1 < n ? "," : "],");
    }
  }
}
