package dev.berth.service;

import dev.berth.policy.Policy;
import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.heuristic.Policies;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.config.ConfigException;
import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.config.RecordingConfig;
import dev.berth.service.config.ScoringConfig;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.config.TrainerConfig;
import dev.berth.service.effect.Effect;
import dev.berth.service.experiment.Arms;
import dev.berth.service.experiment.ExperimentFiles;
import dev.berth.service.experiment.Experiments;
import dev.berth.service.experiment.Readings;
import dev.berth.service.http.HttpServer;
import dev.berth.service.http.Readiness;
import dev.berth.service.http.Secrets;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.page.PageData;
import dev.berth.service.probe.WarmUp;
import dev.berth.service.prometheus.FiringAlerts;
import dev.berth.service.prometheus.PrometheusPuller;
import dev.berth.service.prometheus.RunningPods.Running;
import dev.berth.service.recording.Entry;
import dev.berth.service.recording.Recorder;
import dev.berth.service.registry.ModelRegistry;
import dev.berth.service.regret.Regret;
import dev.berth.service.regret.Reports;
import dev.berth.service.regret.Today;
import dev.berth.service.scoring.Intake;
import dev.berth.service.scoring.Journal;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.PodNames;
import dev.berth.service.scoring.RecentDecisions;
import dev.berth.service.scoring.RunningPod;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.store.ExperienceStore;
import dev.berth.service.store.SqliteStore;
import dev.berth.service.task.Tasks;
import dev.berth.service.trainer.Learner;
import dev.berth.service.trainer.ModelServing;
import dev.berth.service.trainer.ServedModel;
import dev.berth.service.trainer.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running service: parts are made in the order they need each other, closed in reverse. */
public final class Service implements AutoCloseable {
  public static final String VERSION = "berth 0.1.0";

  private static final Logger log = LoggerFactory.getLogger(Service.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final HttpServer http;
  private final Scorer scorer;

  public static Service start(ServiceConfig config) {
    return start(config, new SteadyClock(InstantSource.system(), System::nanoTime));
  }

  /** By another clock: minutes are too long for a test. */
  static Service start(ServiceConfig config, SteadyClock clock) {
    return new Service(config, clock);
  }

  private Service(ServiceConfig config, SteadyClock steady) {
    Clock clock = steady.withZone(ZoneOffset.UTC);
    try {
      ServiceMetrics metrics = new ServiceMetrics();
      Tasks tasks = new Tasks(task -> metrics.taskFailures.labelValues(task)::inc);
      StateFolder folder = part(StateFolder.open(Path.of(config.stateFolder())));
      HttpServer.tryPorts(config.server());
      Secrets secrets =
          Secrets.load(config.server(), folder.file(config.server().tokenFile(), "token"));
      part(secrets.watch(tasks));

      // What is known.
      NodeTable nodes = new NodeTable();
      Path storeFile = folder.file(config.store().file(), "experience.db");
      ExperienceStore store = part(SqliteStore.open(config.store(), storeFile, clock, tasks));
      ServedModel model = model(config, folder, clock);
      List<RunningPod> running = store.runningPods(Intake.mostPods());
      Path ownersFile = folder.renamed("books", "owners");
      UsageConfig usage = model.serving().policy().usageConfig(ages(config.scoring()));
      Optional<Recorder> recorder =
          recorder(config, start(clock, model, usage, ownersFile, running), tasks);
      recorder.ifPresent(this::part);
      SharedState state =
          new SharedState(
              new ClusterState(usage), clock, recorder.<Journal>map(r -> r).orElse(Journal.NONE));

      // A decision, and what becomes of it.
      Learner learner = part(learner(config, folder, model, state, nodes, store, tasks));
      Effect effect = new Effect(state, nodes, store::reckoned);
      Regret regret = new Regret(state, store);
      RecentDecisions recent = new RecentDecisions();
      DecisionSink sink =
          part(
              new DecisionSink(
                  store,
                  nodes,
                  learner,
                  effect,
                  regret,
                  recent,
                  config.store().decisions().bytes(),
                  tasks));
      scorer =
          new Scorer(
              config.scoring(),
              model.serving(),
              state,
              nodes,
              metrics,
              HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()),
              sink,
              tasks.threadPerTask("gpu-workload"));
      Experiments experiments =
          new Experiments(
              new ExperimentFiles(folder.path()),
              new Arms(config.scoring().policy(), model::version),
              model.serving(),
              scorer::serve,
              scorer::now);
      part(model.follow(experiments::configured, tasks));
      part(experiments.follow(tasks));

      // What the last process knew, then what is measured now.
      scorer.intake().restore(running);
      OwnerCheckpoint owners =
          part(
              OwnerCheckpoint.restore(
                  state, ownersFile, config.store().ownerCheckpointInterval(), tasks));
      Readiness readiness = new Readiness();
      IntSupplier measuredPods = () -> 0;
      if (config.prometheus().url().isEmpty()) {
        readiness
            .warning(
                "prometheus",
                () ->
                    Optional.of("prometheus.url is empty: scores rest on requests and bookkeeping"))
            .warning("clock", steady::healthProblem);
      } else {
        Readings readings =
            new Readings(scorer.forecasts()::totals, experiments::running, experiments::measured);
        SampleFeed samples = new SampleFeed(scorer.intake(), nodes, readings);
        measuredPods = pull(config, metrics, steady, samples, readiness, tasks)::measuredPods;
      }

      // What is said of it all.
      Reports reports = new Reports(store, clock);
      Today today = part(new Today(reports, tasks));
      StatusReport status =
          new StatusReport(
              scorer,
              learner,
              effect,
              today,
              measuredPods,
              alerts(config.prometheus(), tasks),
              metrics,
              clock);
      status.register(metrics);
      today.register(metrics);
      metrics.dropped("choices", regret::dropped);
      effect.register(metrics);
      register(metrics, nodes, store, sink, owners);
      recorder.ifPresent(
          r -> {
            metrics.dropped("recording", r::dropped);
            readiness.warning("recording", r::healthProblem).note("recording", r::note);
          });
      new SiteHealth(
              scorer::sampleStates,
              scorer::now,
              nodes,
              storeFile,
              config.store().size().bytes(),
              Runtime.getRuntime().maxMemory())
          .declare(readiness, !config.prometheus().url().isEmpty());
      metrics.gauges(
          "berth_problem",
          "1 for what /readyz names under causes or warnings, 0 for what it could name and does"
              + " not.",
          "name",
          readiness::problems);
      readiness
          .warning("nodes", () -> noNodes(nodes))
          .note("asked", () -> nobodyAsked(scorer))
          .warning("pods", () -> tooManyPods(scorer.intake()))
          .warning("schedulers", () -> scorer.schedulers().outdated(scorer.now()))
          .warning("scheduler-clocks", () -> scorer.schedulers().clocks(scorer.now()))
          .warning("secrets", secrets::healthProblem)
          .warning("store", store::healthProblem)
          .warning("owners", owners::healthProblem)
          .warning("models", model::healthProblem)
          .warning("experiment", experiments::healthProblem)
          .warning("trainer", learner::healthProblem);

      WarmUp.run(config.server(), warmUpScorer(config, model, clock));
      http =
          part(new HttpServer(
                  config.server(),
                  secrets,
                  scorer,
                  nodes,
                  store,
                  recent,
                  new PageData(state, nodes, store),
                  readiness,
                  status,
                  reports,
                  metrics))
              .start();
      String host =
          (config.server().tls().cert().isEmpty() ? "http" : "https")
              + "://"
              + config.server().host();
      log.info(
          "listening on {}:{} for the scheduler, on {}:{} for everybody else",
          host,
          http.schedulerPort(),
          host,
          http.readPort());
      metrics.watchProcess(); // takes a while, and no scheduler waits for it
    } catch (RuntimeException e) {
      closeParts();
      throw e;
    }
  }

  private static ServedModel model(ServiceConfig config, StateFolder folder, Clock clock) {
    return agentKind(config.scoring().policy())
        .<ServedModel>map(
            kind ->
                new ModelServing(
                    ModelRegistry.of(folder.path(), kind.id()), agent(kind, config), clock))
        .orElseGet(() -> ServedModel.fixed(policy(config.scoring())));
  }

  private static Entry.Start start(
      Clock clock, ServedModel model, UsageConfig usage, Path owners, List<RunningPod> running) {
    try {
      return new Entry.Start(
          Entry.SCHEMA,
          VERSION,
          clock.millis() / 1000.0,
          model.serving().policy().name(),
          usage,
          Files.exists(owners) ? Files.readAllBytes(owners) : new byte[0],
          running);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + owners, e);
    }
  }

  private static Optional<Recorder> recorder(ServiceConfig config, Entry.Start start, Tasks tasks) {
    RecordingConfig recording = config.recording();
    if (recording.file().isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          Recorder.begin(
              Path.of(recording.file()),
              start,
              recording.size().bytes(),
              recording.queue().bytes(),
              tasks));
    } catch (IOException e) {
      throw ConfigException.of(
          "recording.file", "cannot write " + recording.file() + ": " + e + ": name another file");
    }
  }

  private static Learner learner(
      ServiceConfig config,
      StateFolder folder,
      ServedModel model,
      SharedState state,
      NodeTable nodes,
      ExperienceStore store,
      Tasks tasks) {
    if (!(model instanceof ModelServing models)) {
      return Learner.OFF;
    }
    if (!config.trainer().enabled()) {
      models.endTrial();
      return Learner.OFF;
    }
    AgentConfig agent = models.agent();
    return new Trainer(
            config.trainer(),
            agent,
            state,
            models,
            store,
            nodes::shared,
            folder.file("", "trainer-" + agent.kind().id() + ".model"),
            tasks)
        .start();
  }

  private PrometheusPuller pull(
      ServiceConfig config,
      ServiceMetrics metrics,
      SteadyClock steady,
      SampleFeed samples,
      Readiness readiness,
      Tasks tasks) {
    PrometheusPuller puller =
        part(new PrometheusPuller(
                config.prometheus(),
                metrics,
                steady.withZone(ZoneOffset.UTC),
                this::running,
                samples,
                tasks))
            .start();
    readiness
        .cause(
            "prometheus",
            () ->
                puller.pulledOnce() ? Optional.empty() : Optional.of("the first pull is under way"))
        .warning("prometheus", puller::healthProblem)
        .warning("clock", () -> steady.healthProblem().or(puller::clockProblem))
        .note("pods", puller::measuredPodsInWords);
    return puller;
  }

  private @Nullable Running running(String namespace, String name) {
    PodNames.Named named = scorer.intake().names().named(namespace, name);
    return named == null ? null : new Running(named.uid(), named.node());
  }

  private void register(
      ServiceMetrics metrics,
      NodeTable nodes,
      ExperienceStore store,
      DecisionSink sink,
      OwnerCheckpoint owners) {
    scorer.forecasts().register(metrics);
    metrics.gauge("berth_pods", "Pods known to run.", scorer::runningPods);
    metrics.gauges(
        "berth_nodes",
        "Known nodes, by what their newest sample is worth.",
        "state",
        () -> scorer.sampleStates(nodes.names()));
    metrics.dropped("store", store::dropped);
    metrics.dropped("after-decision", sink::dropped);
    metrics.dropped("measurements", scorer.intake()::unmeasured);
    metrics.dropped("pods", scorer.intake()::refusedPods);
    metrics.counter(
        "berth_refused_samples",
        "Samples of nodes and pods that cannot be, such as of more CPU than a node can have.",
        () -> scorer.refusedSamples());
    metrics.gauge("berth_store_queued", "Records waiting for the writer.", store::queued);
    metrics.gauge(
        "berth_owners_restored",
        "Owners whose learned usage was read back at the start.",
        owners::restored);
    metrics.gauge(
        "berth_owners_kept",
        "Owners whose learned usage is on disk, as of the last write.",
        owners::kept);
  }

  private Supplier<@Nullable List<FiringAlerts.Alert>> alerts(
      PrometheusConfig config, Tasks tasks) {
    return config.url().isEmpty() ? () -> null : part(new FiringAlerts(config, tasks))::firing;
  }

  private static Optional<String> nobodyAsked(Scorer scorer) {
    return scorer.schedulers().list(scorer.now()).isEmpty()
        ? Optional.of(
            "no scheduler has asked within the hour, or since the service began: which nodes pods may go to, their zones and what is requested on them is as of then, or unknown")
        : Optional.empty();
  }

  private static Optional<String> tooManyPods(Intake intake) {
    return intake.refusedPods() == 0
        ? Optional.empty()
        : Optional.of(
            "%d times a pod was not taken in, for %d are known: give the service a larger heap, or end what invents pods"
                .formatted(intake.refusedPods(), Intake.mostPods()));
  }

  private static Optional<String> noNodes(NodeTable nodes) {
    return nodes.names().isEmpty()
        ? Optional.of("no node is known yet: a scheduler or Prometheus names them")
        : Optional.empty();
  }

  /** A scorer of the same make that shares nothing with the one that serves but the weights. */
  private static Scorer warmUpScorer(ServiceConfig config, ServedModel model, Clock clock) {
    NodeTable nodes = new NodeTable();
    return new Scorer(
        config.scoring(),
        model.serving(),
        new SharedState(
            new ClusterState(model.serving().policy().usageConfig(ages(config.scoring()))), clock),
        nodes,
        new ServiceMetrics(),
        "warm-up",
        ScorerSink.decisions(d -> nodes.update(d.request().candidates(), d.at())),
        Runnable::run);
  }

  /** Empty for a policy that does not learn. */
  private static Optional<AgentKind> agentKind(String policy) {
    return Arrays.stream(AgentKind.values())
        .filter(k -> k.id().equals(policy) && !k.plain())
        .findFirst();
  }

  private static AgentConfig agent(AgentKind kind, ServiceConfig config) {
    TrainerConfig trainer = config.trainer();
    return AgentConfig.defaults(kind)
        .with(
            p -> {
              p.settleSeconds = trainer.settle().toSeconds();
              p.windowSeconds = trainer.window().toSeconds();
              p.clip = config.scoring().clip();
              p.learningStarts = trainer.learningStarts();
              p.rewards = trainer.rewards().rewards();
            });
  }

  private static Policy policy(ScoringConfig config) {
    try {
      return Policies.byName(config.policy(), new SplittableRandom(0));
    } catch (IllegalArgumentException e) {
      String agents =
          Arrays.stream(AgentKind.values())
              .filter(k -> !k.plain())
              .map(AgentKind::id)
              .collect(Collectors.joining(", "));
      throw ConfigException.of(
          "scoring.policy", e.getMessage() + "; or one of the agents that learn: " + agents);
    }
  }

  private static UsageConfig ages(ScoringConfig config) {
    return UsageConfig.DEFAULT.withAges(
        config.fresh().toMillis() / 1000.0, config.stale().toMillis() / 1000.0);
  }

  private <T extends AutoCloseable> T part(T part) {
    parts.push(part);
    return part;
  }

  /** Where the scheduler asks. */
  public int schedulerPort() {
    return http.schedulerPort();
  }

  /** Where everybody else asks. */
  public int readPort() {
    return http.readPort();
  }

  /** The scorer behind the HTTP edge, for callers in the same process. */
  public Scorer scorer() {
    return scorer;
  }

  public void awaitClose() throws InterruptedException {
    closed.await();
  }

  /** Answers what is in flight, writes what is queued, then lets go of the state folder. */
  @Override
  public void close() {
    closeParts();
    log.info("stopped");
    closed.countDown();
  }

  private void closeParts() {
    while (!parts.isEmpty()) {
      AutoCloseable part = parts.pop();
      try {
        part.close();
      } catch (Exception e) {
        log.error("{} did not close", part.getClass().getSimpleName(), e);
      }
    }
  }
}
