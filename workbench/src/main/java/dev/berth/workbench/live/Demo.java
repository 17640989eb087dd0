package dev.berth.workbench.live;

import dev.berth.service.store.Experience;
import dev.berth.simulator.scenario.NodeGroup;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.workload.DeploymentPlan;
import dev.berth.simulator.workload.DeploymentPlan.Action;
import dev.berth.simulator.workload.Rhythm;
import dev.berth.simulator.workload.WorkloadGenerator;
import dev.berth.workbench.live.LocalCluster.Status;
import dev.berth.workbench.metrics.MetricsPage;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The main job: the same workload under the stock scheduler and, on the cleaned cluster, under
 * Berth; everything is measured there and then. Afterwards the same list on the virtual clock.
 *
 * <p>Fair to both: one list of Deployments in one rhythm, the same usage of every pod ({@link
 * UsageKeys}) from the same hour of the model's day on, and a window of the same length that begins
 * at the same moment after the start.
 */
public final class Demo {
  /** Window of the rates that usage is measured by. */
  static final int RATE_SECONDS = 20;

  /** The first usage samples show nodes without pods; both turns leave them out. */
  private static final Duration WARM_UP = Duration.ofSeconds(25);

  /**
   * @param seed of the list of Deployments and of what their pods use
   * @param scenario its workload is played, its duration is a turn's, and what follows its warm-up
   *     is measured. The pause in its rhythm is there for learning: rewards can only be measured
   *     some time after a placement, and what is learned from them must find pods left to place
   * @param folder where summary.json, the picture and the recording of Berth's turn go
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
    double loadBefore = load();
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
      Stage stage = new Stage(cluster, client, options.seed(), options.keepLearned());

      progress.step(done, "emptying, starting the stock scheduler");
      Turn stock = turn(client, status, "stock", plans, stage.set("stock"));
      progress.step(done, "emptying, starting Berth");
      long berthBegins = stage.set("berth");
      Turn berth = turn(client, status, "berth", plans, berthBegins);
      ServiceStatus said = ServiceStatus.read(status.component("service").url());
      DemoResult.Load load = new DemoResult.Load(loadBefore, load());
      progress.step(done, "the same list on the virtual clock");
      DemoResult.Twins twins = twins(room, nginx(client), plans);
      double seconds = (System.nanoTime() - begun) / 1e9;
      DemoResult result = measure(status, stock, berth, berthBegins, said, twins, load, seconds);
      progress.step(done, "keeping the recording");
      stage.keepRecording(berthBegins, options.folder().resolve("recording.jsonl.gz"));
      return result;
    }
  }

  /** Processes that want a processor, mean over the last minute. */
  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }

  /** Pods and seconds count as one step each. */
  private long turnSteps(List<DeploymentPlan> plans) {
    return plans.stream().mapToInt(DeploymentPlan::podCount).sum()
        + (long) options.scenario().durationSeconds();
  }

  private List<HasMetadata> manifest(KubernetesClient client) throws IOException {
    try (InputStream manifest = Files.newInputStream(options.nginx())) {
      return client.load(manifest).items();
    }
  }

  private List<DeploymentPlan> nginx(KubernetesClient client) throws IOException {
    List<DeploymentPlan> plans = new ArrayList<>();
    for (HasMetadata object : manifest(client)) {
      if (object instanceof Deployment deployment) {
        plans.add(plan(deployment));
      }
    }
    return plans;
  }

  private static DeploymentPlan plan(Deployment deployment) {
    Pod pod = new PodBuilder().withSpec(deployment.getSpec().getTemplate().getSpec()).build();
    long memory = LivePods.memoryRequestBytes(pod);
    return new DeploymentPlan(
        deployment.getMetadata().getName(),
        deployment.getSpec().getReplicas(),
        LivePods.cpuRequestMilli(pod),
        LivePods.cpuLimitMilli(pod),
        memory,
        memory,
        Action.ADD);
  }

  /** What the virtual clock gives for this list; unknown where its nodes are not the cluster's. */
  private DemoResult.Twins twins(
      Workload.Room room, List<DeploymentPlan> nginx, List<DeploymentPlan> plans) {
    Scenario scenario = options.scenario();
    long cpuMilli = 0;
    for (NodeGroup group : scenario.nodes()) {
      cpuMilli += group.taints().isEmpty() ? group.count() * group.cpuMilli() : 0;
    }
    if (cpuMilli != room.cpuMilli()) {
      return new DemoResult.Twins(Twin.Result.UNKNOWN, Twin.Result.UNKNOWN);
    }
    return new DemoResult.Twins(
        Twin.play(scenario, options.seed(), nginx, plans, Twin.STOCK),
        Twin.play(scenario, options.seed(), nginx, plans, Twin.BERTH));
  }

  /**
   * @param begins epoch second
   */
  private Turn turn(
      KubernetesClient client,
      Status status,
      String scheduler,
      List<DeploymentPlan> plans,
      long begins)
      throws IOException, InterruptedException {
    long before = done;
    while (now() < begins) {
      Thread.sleep(50);
    }
    long start = Math.max(begins, now());
    for (HasMetadata object : manifest(client)) {
      client.resource(object).serverSideApply();
    }
    Timetable times = Timetable.of(options.scenario(), plans.size());
    Rhythm rhythm = options.scenario().workload().rhythm();
    play(client, scheduler, plans.subList(0, times.early()), rhythm.firstEverySeconds());
    idle(start + Math.round(times.rest()), scheduler + ": learning");
    play(client, scheduler, plans.subList(times.early(), plans.size()), rhythm.everySeconds());
    long end = start + Math.round(times.end());
    idle(end, scheduler + ": measuring");
    progress.step(done = before + turnSteps(plans), scheduler + ": measured");
    return observe(client, status, scheduler, start, end, start - begins);
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
      KubernetesClient client, Status status, String scheduler, long start, long end, long late)
      throws IOException, InterruptedException {
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
        view.cpuRequestStd(),
        (int) late);
  }

  private static NodeUsage usage(Status status) {
    return new NodeUsage(status.component("prometheus").url(), RATE_SECONDS + "s");
  }

  private DemoResult measure(
      Status status,
      Turn stock,
      Turn berth,
      double berthBegan,
      ServiceStatus said,
      DemoResult.Twins twins,
      DemoResult.Load load,
      double seconds)
      throws IOException, InterruptedException {
    // The scheduler started with Berth's turn, so its counters hold exactly that turn.
    MetricsPage scheduler = MetricsPage.read(status.component("kube-scheduler").url() + "/metrics");
    MetricsPage service = MetricsPage.read(status.component("service").url() + "/metrics");
    String placements = "berth_placements_total";
    return new DemoResult(
        options.seed(),
        stock,
        berth,
        twins,
        new DemoResult.DecidedBy(
            (int) scheduler.value(placements, "decided_by", "service"),
            (int) scheduler.value(placements, "decided_by", "fallback"),
            (int) scheduler.value(placements, "decided_by", "single")),
        Experience.read(status.folder().resolve("service/experience.db"), berthBegan),
        said,
        service.sum("berth_train_steps_total"),
        1000 * scheduler.quantile("berth_score_call_duration_seconds", 0.5),
        1000 * scheduler.quantile("berth_score_call_duration_seconds", 0.99),
        load,
        seconds);
  }

  private static long now() {
    return Instant.now().getEpochSecond();
  }
}
