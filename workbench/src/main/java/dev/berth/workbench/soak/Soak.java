package dev.berth.workbench.soak;

import dev.berth.workbench.bench.ImageFolder;
import dev.berth.workbench.bench.ServiceProcess;
import dev.berth.workbench.console.Progress;
import dev.berth.workbench.metrics.MetricsPage;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run: starts the service, loads it phase by phase, looks at it now and then. */
public final class Soak {
  private static final Logger log = LoggerFactory.getLogger(Soak.class);
  private static final int SEED = 1;
  private static final int LAST_LOOK_SECONDS = 10;

  private final SoakPlan plan;
  private final ServiceProcess service;
  private final Outcomes outcomes;
  private final Load load;
  private final Progress bar;
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final List<Sample> samples = Collections.synchronizedList(new ArrayList<>());
  private final long start = System.nanoTime();
  private volatile int phase;

  /**
   * Runs the whole plan.
   *
   * @param folder empty; takes the service's state and log
   */
  public static SoakResult run(SoakPlan plan, ImageFolder image, Path folder, Progress bar)
      throws IOException, InterruptedException {
    SplittableRandom random = new SplittableRandom(SEED);
    SoakCluster cluster = new SoakCluster(plan.nodes(), random.split());
    Path state = folder.resolve("state");
    Path log = folder.resolve("service.log");
    try (PrometheusStandIn prometheus = new PrometheusStandIn(cluster, random.split());
        ServiceProcess service =
            ServiceProcess.start(
                image.command("serve"), environment(plan, image, prometheus), state, log);
        Outcomes outcomes = new Outcomes(service)) {
      outcomes.listBegins();
      cluster.fill((pod, node) -> outcomes.assigned(pod, cluster.name(node)));
      outcomes.listEnds();
      outcomes.flush();
      Load load = new Load(service, cluster, outcomes, plan, random.split());
      return new Soak(plan, service, outcomes, load, bar).run();
    }
  }

  private Soak(SoakPlan plan, ServiceProcess service, Outcomes outcomes, Load load, Progress bar) {
    this.plan = plan;
    this.service = service;
    this.outcomes = outcomes;
    this.load = load;
    this.bar = bar;
  }

  private static Map<String, String> environment(
      SoakPlan plan, ImageFolder image, PrometheusStandIn prometheus) {
    return Map.of(
        "PATH",
        image.path(),
        "JAVA_OPTS",
        (SoakPlan.MAX_RAM + " " + plan.javaOpts()).strip(),
        "BERTH_SCORING_POLICY",
        "dqn",
        "BERTH_PROMETHEUS_URL",
        prometheus.url(),
        "BERTH_PROMETHEUS_WINDOW",
        plan.settle().toSeconds() + "s",
        "BERTH_TRAINER_SETTLE",
        plan.settle().toSeconds() + "s",
        "BERTH_TRAINER_WINDOW",
        plan.window().toSeconds() + "s",
        "BERTH_TRAINER_LEARNING_STARTS",
        String.valueOf(plan.learningStarts()));
  }

  private SoakResult run() throws IOException, InterruptedException {
    long every = plan.look().toMillis();
    timer.scheduleAtFixedRate(this::look, every, every, TimeUnit.MILLISECONDS);
    List<SoakResult.PhaseResult> phases = new ArrayList<>();
    try {
      for (SoakPlan.Phase next : plan.phases()) {
        phase = phases.size();
        phases.add(load.run(next));
        if (!service.ended().isEmpty()) {
          break;
        }
      }
      timer.shutdown(); // the look under way still counts
      timer.awaitTermination(LAST_LOOK_SECONDS, TimeUnit.SECONDS);
    } finally {
      timer.shutdownNow();
    }
    return new SoakResult(
        plan,
        phases,
        List.copyOf(samples),
        service.ended(),
        load.firstError().isEmpty() ? outcomes.firstError() : load.firstError(),
        outcomes.refused());
  }

  /** A task that throws is never run again. */
  private void look() {
    try {
      if (service.ended().isEmpty()) {
        Sample sample = sample();
        samples.add(sample);
        bar.stepTo(Math.round(sample.seconds()));
        bar.doing(
            String.format(
                Locale.ROOT,
                "%d candidates: p99 %.0f ms, %.0f MiB, %d errors",
                plan.phases().get(sample.phase()).candidates(),
                sample.p99(),
                sample.rss(),
                sample.errors()));
      }
    } catch (IOException | RuntimeException e) {
      log.warn("a look at the service failed", e);
    }
  }

  private Sample sample() throws IOException {
    Histogram nanos = load.window();
    ServiceProcess.Memory memory = service.memory();
    MetricsPage page = MetricsPage.parse("");
    try {
      page = MetricsPage.read("http://127.0.0.1:" + service.readPort() + "/metrics");
    } catch (IOException e) {
      log.warn("the metrics of this moment are missing: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Map<String, Double> dropped = new TreeMap<>(page.byLabel("berth_dropped_total", "queue"));
    dropped.putAll(page.byLabel("berth_decisions_not_learned_total", "cause"));
    return new Sample(
        (System.nanoTime() - start) * 1e-9,
        phase,
        load.answered(),
        load.errors(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        memory.resident(),
        memory.peak(),
        heap(page, "used"),
        heap(page, "committed"),
        nanos.getValueAtPercentile(50) / 1e6,
        nanos.getValueAtPercentile(99) / 1e6,
        nanos.getMaxValue() / 1e6,
        page.sum("berth_transitions_total"),
        page.sum("berth_train_steps_total"),
        page.sum("berth_trainer_restarts_total"),
        dropped);
  }

  private static double heap(MetricsPage page, String what) {
    String name = "jvm_memory_" + what + "_bytes";
    return page.byLabel(name, "area").getOrDefault("heap", Double.NaN) / (1 << 20);
  }
}
