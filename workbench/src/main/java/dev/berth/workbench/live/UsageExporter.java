package dev.berth.workbench.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.berth.simulator.usage.UsageModel;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives KWOK's fake nodes the metrics of real ones, from the pods that are really bound to them.
 *
 * <ul>
 *   <li>{@code /nodes/NAME/metrics}: one page per node, as its own node_exporter would serve, and
 *       cAdvisor where that is asked for
 *   <li>{@code /targets}: these pages for Prometheus' http_sd, with a {@code node} label
 *   <li>{@code /kube-state-metrics}: {@code kube_pod_info} of every bound pod
 *   <li>{@code /truth?since=EPOCH-SECONDS}: JSON lines of what no scrape shows, see {@link Truth}
 * </ul>
 *
 * <p>Loopback only, read only. Usage is a function of seed, owner, ordinal and time ({@link
 * UsageKeys}), so it goes on unchanged after a restart; the counters begin again at zero, which
 * rate() understands.
 */
public final class UsageExporter implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(UsageExporter.class);

  /** On a node: its true speed. For this exporter alone; nothing else may know it. */
  static final String SPEED = "usage.berth.dev/speed";

  private final FakeMachines machines;
  private final UsageKeys keys;
  private final Truth truth = new Truth();
  private final DoubleSupplier now;
  private final double origin;
  private final boolean withPods;
  private final SharedIndexInformer<Node> nodes;
  private final SharedIndexInformer<Pod> pods;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final ScheduledExecutorService everySecond = Executors.newSingleThreadScheduledExecutor();
  private final ObjectMapper json = new ObjectMapper();
  private final double bootedAt;

  /**
   * Starts watching and serving.
   *
   * @param now epoch seconds
   * @param origin epoch second at which the usage model's clock reads zero: two runs of a workload
   *     see the same day when each begins at its own origin
   * @param keys where it is kept by what each pod's usage is drawn, so that a restart changes
   *     nothing; null for nowhere
   * @param withPods whether nodes' pages also tell what each pod uses
   * @param port on loopback; 0 for a free one
   */
  public UsageExporter(
      KubernetesClient client,
      UsageModel model,
      DoubleSupplier now,
      double origin,
      @Nullable Path keys,
      boolean withPods,
      int port)
      throws IOException {
    this.server = bound(port);
    this.machines = new FakeMachines(model);
    this.keys = new UsageKeys(keys);
    this.now = now;
    this.origin = origin;
    this.withPods = withPods;
    this.bootedAt = now.getAsDouble();
    this.nodes = client.nodes().inform(new NodeEvents());
    this.pods = client.pods().inAnyNamespace().inform(new PodEvents());
    this.keys.keepOnly(
        pods.getStore().list().stream()
            .map(pod -> pod.getMetadata().getUid())
            .collect(Collectors.toSet()));
    server.setExecutor(threads);
    server.createContext("/", this::answer);
    server.start();
    everySecond.scheduleAtFixedRate(this::note, 1, 1, TimeUnit.SECONDS);
    log.info("usage exporter on http://127.0.0.1:{}/", port());
  }

  private static HttpServer bound(int port) throws IOException {
    try {
      return HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    } catch (BindException e) {
      throw new IOException(
          "port %d is taken: name another with --port, or 0 for a free one".formatted(port), e);
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  private double clock() {
    return now.getAsDouble() - origin;
  }

  /** Notes what only this process knows. A failure must not end the notes. */
  private void note() {
    try {
      double t = now.getAsDouble();
      truth.demand(t, machines.demands(t - origin));
      keys.save();
    } catch (IOException | RuntimeException e) {
      log.error("cannot keep what pods' usage is drawn by; a restart would change it", e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      if (!exchange.getRequestMethod().equals("GET")) {
        send(exchange, 405, "text/plain", "only GET: nothing can be changed here\n");
      } else if (path.equals("/healthz")) {
        boolean well = nodes.hasSynced() && pods.hasSynced();
        send(exchange, well ? 200 : 503, "text/plain", well ? "ok\n" : "not synced yet\n");
      } else if (path.equals("/targets")) {
        send(exchange, 200, "application/json", targets());
      } else if (path.equals("/kube-state-metrics")) {
        send(exchange, 200, "text/plain; version=0.0.4", podInfo());
      } else if (path.equals("/truth")) {
        sendTruth(exchange);
      } else if (path.startsWith("/nodes/") && path.endsWith("/metrics")) {
        sendNode(exchange, path.substring("/nodes/".length(), path.length() - "/metrics".length()));
      } else {
        send(
            exchange,
            404,
            "text/plain",
            "try /nodes/NAME/metrics, /targets, /kube-state-metrics, /truth or /healthz\n");
      }
    } catch (IOException e) {
      log.debug("client went away", e);
    } catch (RuntimeException e) {
      log.error("cannot answer {}", exchange.getRequestURI(), e);
      throw e;
    }
  }

  private void sendTruth(HttpExchange exchange) throws IOException {
    String query = exchange.getRequestURI().getQuery();
    double since;
    try {
      since = query == null ? 0 : Double.parseDouble(query.replaceFirst("^since=", ""));
    } catch (NumberFormatException e) {
      send(exchange, 400, "text/plain", "'" + query + "': write since=EPOCH-SECONDS\n");
      return;
    }
    send(exchange, 200, "application/x-ndjson", truth.since(since));
  }

  private void sendNode(HttpExchange exchange, String node) throws IOException {
    Optional<NodeReading> reading = machines.read(node, clock());
    if (reading.isEmpty()) {
      send(exchange, 404, "text/plain", "no node " + node + ": it has " + machines.nodes() + "\n");
    } else {
      String page =
          new String(
              NodePage.render(node, reading.get(), bootedAt, withPods), StandardCharsets.UTF_8);
      send(exchange, 200, "text/plain; version=0.0.4", page);
    }
  }

  private String targets() throws JsonProcessingException {
    List<Map<String, Object>> groups = new ArrayList<>();
    for (String node : machines.nodes()) {
      Map<String, String> labels = new LinkedHashMap<>();
      labels.put("__metrics_path__", "/nodes/" + node + "/metrics");
      labels.put("instance", node + ":9100");
      labels.put("node", node);
      groups.add(Map.of("targets", List.of("127.0.0.1:" + port()), "labels", labels));
    }
    return json.writeValueAsString(groups);
  }

  private String podInfo() throws IOException {
    Map<Labels, Double> info = new LinkedHashMap<>();
    for (Pod pod : pods.getStore().list()) {
      if (LivePods.occupies(pod)) {
        String[] owner = LivePods.owner(pod).split("/", 3);
        info.put(
            Labels.of(
                new String[] {
                  "namespace", "pod", "uid", "node", "created_by_kind", "created_by_name"
                },
                new String[] {
                  pod.getMetadata().getNamespace(),
                  pod.getMetadata().getName(),
                  pod.getMetadata().getUid(),
                  pod.getSpec().getNodeName(),
                  owner[1],
                  owner[2]
                }),
            1.0);
      }
    }
    if (info.isEmpty()) {
      return "";
    }
    return new String(
        NodePage.text(
            new MetricSnapshots(
                NodePage.gauge("kube_pod_info", "Pods and the nodes they are bound to.", info))),
        StandardCharsets.UTF_8);
  }

  private static void send(HttpExchange exchange, int status, String type, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", type);
    exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdown();
    everySecond.shutdown();
    pods.close();
    nodes.close();
    note();
  }

  private final class NodeEvents implements ResourceEventHandler<Node> {
    @Override
    public void onAdd(Node node) {
      Map<String, io.fabric8.kubernetes.api.model.Quantity> capacity =
          node.getStatus() == null ? null : node.getStatus().getCapacity();
      if (capacity != null) {
        machines.nodeUp(
            node.getMetadata().getName(),
            Math.round(1000 * LivePods.amount(capacity.get("cpu"))),
            Math.round(LivePods.amount(capacity.get("memory"))),
            LivePods.speed(node),
            clock());
      }
    }

    @Override
    public void onUpdate(Node before, Node node) {
      onAdd(node);
    }

    @Override
    public void onDelete(Node node, boolean finalStateUnknown) {
      machines.nodeGone(node.getMetadata().getName());
    }
  }

  private final class PodEvents implements ResourceEventHandler<Pod> {
    @Override
    public void onAdd(Pod pod) {
      if (LivePods.occupies(pod)) {
        double t = now.getAsDouble();
        String uid = pod.getMetadata().getUid();
        String owner = LivePods.owner(pod);
        String node = pod.getSpec().getNodeName();
        UsageKeys.Life life = keys.bound(uid, owner, LivePods.startedAt(pod, t));
        double start = life.startedAt() - origin;
        if (machines.podUp(
            uid,
            LivePods.toPod(pod, life.key()),
            LivePods.cpuLimitMilli(pod),
            node,
            start,
            t - origin)) {
          truth.started(life.startedAt(), uid);
        }
      } else {
        ended(pod);
      }
    }

    @Override
    public void onUpdate(Pod before, Pod pod) {
      onAdd(pod);
    }

    @Override
    public void onDelete(Pod pod, boolean finalStateUnknown) {
      ended(pod);
    }

    private void ended(Pod pod) {
      String uid = pod.getMetadata().getUid();
      keys.gone(uid);
      machines.podGone(uid, clock());
    }
  }
}
