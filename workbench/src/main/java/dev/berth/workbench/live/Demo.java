package dev.berth.workbench.live;

import dev.berth.service.store.Experience;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.simulator.workload.Rhythm;
import dev.berth.simulator.workload.WorkloadGenerator;
import dev.berth.workbench.Folders;
import dev.berth.workbench.live.LocalCluster.Status;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The main job: the same workload under the stock scheduler and, on the cleaned cluster, under
 * Berth; everything is measured there and then.
 *
 * <p>Fair to both: one list of Deployments in one rhythm, usage that begins at the same hour of the
 * model's day, and a window of the same length that begins at the same moment after the start.
 */
public final class Demo {
  /** The first usage samples show nodes without pods; both turns leave them out. */
  private static final Duration WARM_UP = Duration.ofSeconds(25);

  /** Window of the rates that usage is measured by. */
  static final int RATE_SECONDS = 20;

  private static final int WARM_UP_QUESTIONS = 200;

  private static final String NGINX_NAMESPACE = "default";

  /** The last pods must be warm, and their warmth in the rate's window, before a turn ends. */
  private static final Duration MIN_TAIL = Duration.ofSeconds(30);

  /**
   * @param scenario its workload is played, its duration is a turn's, and what follows its warm-up
   *     is measured. The pause in its rhythm is there for learning: rewards can only be measured
   *     some time after a placement, and what is learned from them must find pods left to place
   * @param folder where summary.json and the picture go
   * @param keepLearned go on from what the service learned before instead of from its start model
   */
  public record Options(
      long seed, Scenario scenario, Path nginx, Path folder, boolean keepLearned) {}

  /** Told how far the demo is. */
  public interface Progress {
    void total(long steps);

    void step(long steps, String doing);
  }

  private final LocalCluster cluster;
  private final Options options;
  private final Progress progress;
  private long done;

  public Demo(LocalCluster cluster, Options options, Progress progress) {
    this.cluster = cluster;
    this.options = options;
    this.progress = progress;
  }

  /** Runs both turns on a cluster that is up. */
  DemoResult run() throws IOException, InterruptedException {
    long begun = System.nanoTime();
    Status status = cluster.status();
    try (KubernetesClient client = Kube.connect(status.kubeconfig())) {
      Workload.Room room = Workload.room(client);
      List<DeploymentPlan> plans =
          WorkloadGenerator.deployments(
              options.scenario().workload(),
              options.seed(),
              room.cpuMilli(),
              room.memoryBytes(),
              room.pods());
      progress.total(2 * turnSteps(plans));

      prepare(client, "stock");
      Turn stock = turn(client, status, "stock", plans);
      prepare(client, "berth");
      double berthBegan = Instant.now().toEpochMilli() / 1000.0;
      Turn berth = turn(client, status, "berth", plans);
      return measure(status, stock, berth, berthBegan, (System.nanoTime() - begun) / 1e9);
    }
  }

  /** Pods and seconds count as one step each. */
  private long turnSteps(List<DeploymentPlan> plans) {
    return plans.stream().mapToInt(DeploymentPlan::podCount).sum()
        + (long) options.scenario().durationSeconds();
  }

  /** An empty cluster, the right scheduler, and usage that begins at hour zero. */
  private void prepare(KubernetesClient client, String scheduler)
      throws IOException, InterruptedException {
    progress.step(done, "emptying");
    clean(client);
    cluster.quietly("stop", "service");
    if (scheduler.equals("berth")) {
      startService();
    }
    progress.step(done, "starting the " + scheduler + " scheduler");
    cluster.quietly("restart-scheduler", "--with", scheduler);
    cluster.quietly("restart", "usage-exporter", "--new-day");
  }

  private void clean(KubernetesClient client) throws InterruptedException {
    client
        .apps()
        .deployments()
        .inNamespace(NGINX_NAMESPACE)
        .withName("nginx")
        .withTimeout(30, java.util.concurrent.TimeUnit.SECONDS)
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

  private void startService() throws IOException, InterruptedException {
    Status status = cluster.status();
    Path learned = status.folder().resolve("service");
    if (!options.keepLearned()) {
      Folders.delete(learned);
    }
    cluster.quietly("start", "service");
    awaitReady(status.component("service").url());
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

  private Turn turn(
      KubernetesClient client, Status status, String scheduler, List<DeploymentPlan> plans)
      throws IOException, InterruptedException {
    long before = done;
    long start = Instant.now().getEpochSecond();
    try (InputStream manifest = Files.newInputStream(options.nginx())) {
      for (HasMetadata object : client.load(manifest).items()) {
        client.resource(object).serverSideApply();
      }
    }
    // Both turns reach every mark at the same moment after their start, however long pods took.
    Rhythm rhythm = options.scenario().workload().rhythm();
    int early = rhythm.early(plans.size());
    long resume = start + Math.round(rhythm.restBegins(plans.size()));
    double rest = (plans.size() - early) * rhythm.everySeconds();
    long end =
        Math.max(
            start + Math.round(options.scenario().durationSeconds()),
            resume + Math.round(rest) + MIN_TAIL.toSeconds());
    play(client, scheduler, plans.subList(0, early), rhythm.firstEverySeconds());
    idle(resume, scheduler + ": learning");
    play(client, scheduler, plans.subList(early, plans.size()), rhythm.everySeconds());
    idle(end, scheduler + ": measuring");
    progress.step(done = before + turnSteps(plans), scheduler + ": measured");
    return observe(client, status, scheduler, start, end);
  }

  private void play(
      KubernetesClient client, String scheduler, List<DeploymentPlan> plans, double every)
      throws InterruptedException {
    long before = done;
    Workload.Options workload =
        new Workload.Options(
            Workload.Options.NAMESPACE,
            "default-scheduler",
            Duration.ofMillis(Math.round(1000 * every)),
            Workload.Options.DEFAULT.patience());
    new Workload(
            client,
            workload,
            (bound, total, name) -> progress.step(done = before + bound, scheduler + ": " + name))
        .run(plans);
  }

  /** Waits for a second of the clock; every second waited is a step. */
  private void idle(long until, String doing) throws InterruptedException {
    while (now() < until) {
      progress.step(++done, doing);
      Thread.sleep(1000);
    }
  }

  private Turn observe(
      KubernetesClient client, Status status, String scheduler, long start, long end)
      throws InterruptedException {
    ClusterView view = ClusterView.of(client);
    String workers =
        view.workers().stream().map(ClusterView.NodeLoad::name).collect(Collectors.joining("|"));
    NodeUsage usage = usage(status);
    long measured =
        Math.round(options.scenario().durationSeconds() - options.scenario().warmupSeconds());
    return new Turn(
        scheduler,
        (int) (view.pods().size() - view.pending()),
        (int) view.pending(),
        usage.spread(workers, end, measured),
        usage.spread(workers, end, end - start - WARM_UP.toSeconds()).std(),
        usage.curve(workers, end, end - start, Turn.STEP_SECONDS),
        view.cpuRequestStd());
  }

  private static NodeUsage usage(Status status) {
    return new NodeUsage(status.component("prometheus").url(), "20s");
  }

  private DemoResult measure(
      Status status, Turn stock, Turn berth, double berthBegan, double seconds)
      throws IOException, InterruptedException {
    // The scheduler started with Berth's turn, so its counters hold exactly that turn.
    MetricsPage scheduler = MetricsPage.read(status.component("kube-scheduler").url() + "/metrics");
    MetricsPage service = MetricsPage.read(status.component("service").url() + "/metrics");
    String placements = "berth_placements_total";
    int byService = (int) scheduler.value(placements, "decided_by", "service");
    int byFallback = (int) scheduler.value(placements, "decided_by", "fallback");
    int single = (int) scheduler.value(placements, "decided_by", "single");
    return new DemoResult(
        stock,
        berth,
        (double) byService / (byService + byFallback), // NaN when there was none
        new DemoResult.DecidedBy(byService, byFallback, single),
        Experience.read(status.folder().resolve("service/experience.db"), berthBegan),
        service.sum("berth_train_steps_total"),
        1000 * scheduler.quantile("berth_score_call_duration_seconds", 0.5),
        1000 * scheduler.quantile("berth_score_call_duration_seconds", 0.99),
        seconds);
  }

  private static long now() {
    return Instant.now().getEpochSecond();
  }
}
