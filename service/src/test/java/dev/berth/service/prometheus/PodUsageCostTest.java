package dev.berth.service.prometheus;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.config.Queries;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.prometheus.RunningPods.Running;
import dev.berth.service.scoring.Draw;
import dev.berth.service.scoring.Journal;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.PodNames.Named;
import dev.berth.service.scoring.ScoreRequest;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.scoring.Serving;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.task.DutyCycle;
import dev.berth.service.task.Tasks;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What usage of pods costs the service: an answer read, and its samples taken in. Prints a table;
 * docs/operations.md names the command.
 */
@Tag("slow")
class PodUsageCostTest {
  private static final int PODS_PER_NODE = 30;
  private static final int PODS_PER_OWNER = 10;

  /** The best of these is told: what other work on the machine costs is not meant. */
  private static final int ROUNDS = 7;

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final Stopwatch stopwatch = new Stopwatch();
  private SharedState shared;

  @Test
  void table() throws Exception {
    System.out.println(
        "| nodes | pods | answers, MiB | read, s | taken in, s | longest hold of the lock, ms |"
            + " nodes alone, s | longest, ms |");
    System.out.println("|---|---|---|---|---|---|---|---|");
    for (int nodes : new int[] {100, 10, 30, 100, 1_000, 5_000}) { // the first one warms up
      measure(nodes);
    }
  }

  private void measure(int nodes) throws Exception {
    Scorer scorer = scorer(nodes);
    try (Answers answers = new Answers(nodes)) {
      PrometheusConfig d = PrometheusConfig.at(answers.url());
      PrometheusConfig config =
          new PrometheusConfig(
              d.url(),
              d.interval(),
              PATIENCE,
              d.window(),
              d.tokenFile(),
              d.pods(),
              d.nodes(),
              d.queries());
      ServiceMetrics metrics = new ServiceMetrics();
      PodUsage pods =
          new PodUsage(
              config,
              new PrometheusClient(config),
              (namespace, name) -> {
                Named named = scorer.intake().names().named(namespace, name);
                return named == null ? null : new Running(named.uid(), named.node());
              },
              metrics.labelled("failures", "Failures.", "query"),
              metrics.labelled("rejected", "Rejected.", "query"),
              new DutyCycle(() -> 0),
              new Tasks(task -> () -> {}));
      double reading = Double.POSITIVE_INFINITY;
      double[] ofPods = {reading, reading};
      double[] ofNodes = {reading, reading};
      for (int round = 0; round < ROUNDS; round++) {
        answers.scrape();
        long begin = System.nanoTime();
        pods.ask(NodeResolver.of(config.nodes()), Snapshot.EMPTY);
        List<PodSample> samples = pods.take(PATIENCE);
        reading = Math.min(reading, seconds(begin));
        assertThat(samples).hasSize(round == 0 ? 0 : nodes * PODS_PER_NODE);
        double end = answers.now;
        List<NodeSample> ofTheirNodes = new ArrayList<>();
        for (int n = 0; n < nodes; n++) {
          ofTheirNodes.add(
              new NodeSample(Answers.node(n), end - 15, end, 6.3, 1e9, Double.NaN, Double.NaN));
        }
        if (round == 0) {
          continue; // nothing was read before
        }
        best(ofPods, timed(() -> scorer.intake().observe(samples)));
        int number = round;
        best(ofNodes, timed(() -> scorer.intake().observe(ofTheirNodes, number)));
      }
      pods.close();
      double learned = shared.read(state -> state.ownerRatio("team/ReplicaSet/app-1"));
      assertThat(learned).isGreaterThan(0.65); // 0.2 cores of 0.25, and 0.6 before all
      System.out.printf(
          "| %d | %d | %.1f | %.2f | %.2f | %.2f | %.2f | %.2f |%n",
          nodes,
          nodes * PODS_PER_NODE,
          (answers.cpu.length + answers.memory.length) / 1048576.0,
          reading,
          ofPods[0],
          ofPods[1],
          ofNodes[0],
          ofNodes[1]);
    }
  }

  private static void best(double[] so, double[] now) {
    Arrays.setAll(so, i -> Math.min(so[i], now[i]));
  }

  /** Seconds altogether and milliseconds of the longest chunk. */
  private double[] timed(Runnable work) {
    stopwatch.longest = 0;
    stopwatch.last = System.nanoTime();
    long begin = System.nanoTime();
    work.run();
    return new double[] {seconds(begin), stopwatch.longest / 1e6};
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private Scorer scorer(int nodes) {
    shared = new SharedState(new ClusterState(UsageConfig.DEFAULT), Clock.systemUTC(), stopwatch);
    Scorer scorer =
        new Scorer(
            ServiceConfig.defaults().scoring(),
            new Serving(PredictThenGreedy.best(), 0),
            shared,
            new NodeTable(),
            new ServiceMetrics(),
            "cost",
            ScorerSink.NONE,
            Runnable::run);
    Map<String, Double> cores = new HashMap<>();
    List<OutcomeEvent> events = new ArrayList<>();
    double since = scorer.now() - 3600;
    for (int n = 0; n < nodes; n++) {
      cores.put(Answers.node(n), 64.0);
      for (int p = 0; p < PODS_PER_NODE; p++) {
        int i = n * PODS_PER_NODE + p;
        String owner = "team/ReplicaSet/app-" + i / PODS_PER_OWNER;
        Pod alike = Pod.of("uid-" + i, owner, 250, 1 << 28);
        Pod pod =
            new Pod(
                alike.uid(),
                Answers.pod(i),
                Answers.namespace(i),
                owner,
                0,
                250,
                1 << 28,
                alike.gpu(),
                alike.latency());
        events.add(
            new OutcomeEvent(
                OutcomeEvent.Type.ASSIGNED, since, null, pod.uid(), Answers.node(n), pod));
      }
    }
    scorer.intake().sized(cores);
    scorer.intake().apply(events);
    return scorer;
  }

  /** Told at the end of every chunk. */
  private static final class Stopwatch implements Journal {
    long last;
    long longest;

    private void chunk() {
      long now = System.nanoTime();
      longest = Math.max(longest, now - last);
      last = now;
    }

    @Override
    public void decided(
        double at, ScoreRequest r, Supplier<double[]> b, double[] p, Draw d, long version) {}

    @Override
    public void applied(double at, List<OutcomeEvent> events) {}

    @Override
    public void sized(double at, Map<String, Double> cores) {}

    @Override
    public void measured(double at, List<PodSample> samples) {
      chunk();
    }

    @Override
    public void observed(double at, List<NodeSample> samples) {
      chunk();
    }
  }

  /** A Prometheus of so many nodes, with names as long as they are. */
  private static final class Answers implements AutoCloseable {
    private final HttpServer server;
    private final int pods;
    double now = System.currentTimeMillis() / 1000 - 60;
    private volatile byte[] cpu;
    private volatile byte[] memory;

    Answers(int nodes) throws IOException {
      pods = nodes * PODS_PER_NODE;
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/api/v1/query", this::answer);
      server.start();
    }

    String url() {
      return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    static String node(int n) {
      return "ip-10-12-" + n / 250 + "-" + n % 250 + ".ec2.internal";
    }

    static String pod(int i) {
      return "checkout-"
          + i / PODS_PER_OWNER
          + "-7d9f8b6c5d-"
          + Integer.toString(i + 1_000_000, 36);
    }

    static String namespace(int i) {
      return "team-" + i % 97;
    }

    /** Writes down what it will answer. */
    void scrape() {
      now += 15;
      cpu = vector(true);
      memory = vector(false);
    }

    private byte[] vector(boolean ofCpu) {
      StringBuilder out = new StringBuilder("{\"status\":\"success\",\"data\":");
      out.append("{\"resultType\":\"vector\",\"result\":[");
      for (int i = 0; i < pods; i++) {
        String value = ofCpu ? "" + (1e4 + now * 0.2) : "268435456";
        out.append(i == 0 ? "" : ",").append(series(i, ofCpu ? "cpu-seconds" : "", value));
      }
      for (int i = 0; ofCpu && i < pods; i++) {
        out.append(',').append(series(i, "sampled-at", "" + now));
      }
      return out.append("]}}").toString().getBytes(StandardCharsets.UTF_8);
    }

    private void answer(HttpExchange exchange) throws IOException {
      String form = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      byte[] body =
          URLDecoder.decode(form, StandardCharsets.UTF_8).contains("timestamp(") ? cpu : memory;
      exchange.sendResponseHeaders(200, body.length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(body);
      }
    }

    private String series(int i, String quantity, String value) {
      int n = i / PODS_PER_NODE;
      String label = quantity.isEmpty() ? "" : "\"" + Queries.QUANTITY + "\":\"" + quantity + "\",";
      return "{\"metric\":{"
          + label
          + "\"instance\":\"10.12.%d.%d:10250\",\"job\":\"kubelet\",".formatted(n / 250, n % 250)
          + "\"namespace\":\"%s\",\"node\":\"%s\",".formatted(namespace(i), node(n))
          + "\"pod\":\"%s\"},\"value\":[%s,\"%s\"]}".formatted(pod(i), now, value);
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
