package dev.berth.service;

import dev.berth.policy.Policy;
import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.heuristic.Policies;
import dev.berth.policy.learning.AgentKind;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.config.ConfigException;
import dev.berth.service.config.ScoringConfig;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.config.TrainerConfig;
import dev.berth.service.http.HttpServer;
import dev.berth.service.http.Readiness;
import dev.berth.service.http.Secrets;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.probe.WarmUp;
import dev.berth.service.prometheus.PrometheusPuller;
import dev.berth.service.registry.ModelRegistry;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.scoring.Serving;
import dev.berth.service.store.ExperienceStore;
import dev.berth.service.store.SqliteStore;
import dev.berth.service.trainer.ModelServing;
import dev.berth.service.trainer.Trainer;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running service: parts are made in the order they need each other, closed in reverse. */
public final class Service implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Service.class);

  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final HttpServer http;
  private final Scorer scorer;

  public static Service start(ServiceConfig config) {
    return new Service(config, Clock.systemUTC());
  }

  private Service(ServiceConfig config, Clock clock) {
    try {
      StateFolder state = part(StateFolder.open(Path.of(config.stateFolder())));
      Secrets secrets =
          part(Secrets.load(config.server(), state.file(config.server().tokenFile(), "token")));
      ServiceMetrics metrics = new ServiceMetrics();
      Readiness readiness = new Readiness();
      ExperienceStore store =
          part(
              SqliteStore.open(
                  config.store(), state.file(config.store().file(), "experience.db"), clock));
      metrics.dropped("store", store::dropped);
      metrics.gauge("berth_store_queued", "Records waiting for the writer.", store::queued);
      readiness.warning("store", store::trouble);
      readiness.warning("secrets", secrets::trouble);

      NodeTable nodes = new NodeTable();
      readiness.warning(
          "nodes",
          () ->
              nodes.names().isEmpty()
                  ? Optional.of("no node is known yet: a scheduler or Prometheus names them")
                  : Optional.empty());
      DecisionSink sink =
          part(new DecisionSink(store, nodes, config.store().decisions().bytes(), metrics));
      AgentKind kind = agentKind(config.scoring().policy());
      ModelServing models =
          kind == null
              ? null
              : part(
                  new ModelServing(
                      ModelRegistry.open(state.file("", "models")), agent(kind, config), clock));
      Serving serving =
          models == null ? new Serving(policy(config.scoring()), 0) : models.serving();
      scorer =
          new Scorer(
              config.scoring(),
              serving,
              new ClusterState(serving.policy().usageConfig(ages(config.scoring()))),
              nodes,
              metrics,
              clock,
              HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()),
              sink);
      scorer.restore(store.runningPods());
      OwnerCheckpoint owners =
          part(
              new OwnerCheckpoint(
                      scorer,
                      state.renamed("books", "owners"),
                      config.store().ownerCheckpointInterval())
                  .restore()
                  .start());
      metrics.gauge(
          "berth_owners_restored",
          "Owners whose learned usage was read back at the start.",
          owners::restored);
      metrics.gauge(
          "berth_owners_kept",
          "Owners whose learned usage is on disk, as of the last write.",
          owners::kept);
      readiness.warning("owners", owners::healthProblem);
      Trainer trainer = null;
      if (models != null && kind != null) {
        models.follow(scorer::serve);
        readiness.warning("models", models::trouble);
        if (config.trainer().enabled()) {
          trainer =
              part(
                  new Trainer(
                      config.trainer(),
                      agent(kind, config),
                      scorer,
                      models,
                      store,
                      nodes::shared,
                      state.file("", "trainer-" + kind.id() + ".model")));
          sink.learner(trainer);
          metrics.dropped("trainer", trainer::dropped);
          metrics.counters(
              "berth_decisions_not_learned",
              "Decisions that nothing was learned from, by cause.",
              "cause",
              trainer::lost);
          metrics.counter(
              "berth_trainer_restarts",
              "How often learning began again from the last checkpoint after a failure.",
              trainer::restarts);
          readiness.warning("trainer", trainer::trouble);
          trainer.start();
        }
      }
      StatusReport status = new StatusReport(scorer, trainer, metrics, clock);
      status.register(metrics);
      scorer.forecasts().register(metrics);
      metrics.gauge("berth_pods", "Pods known to run.", scorer::runningPods);
      metrics.gauges(
          "berth_nodes",
          "Known nodes, by what their newest sample is worth.",
          "state",
          () -> scorer.sampleStates(nodes.names()));
      if (!config.prometheus().url().isEmpty()) {
        PrometheusPuller puller =
            part(
                new PrometheusPuller(
                    config.prometheus(), metrics, clock, new SampleFeed(scorer, nodes)));
        readiness.cause(
            "prometheus",
            () ->
                puller.pulledOnce()
                    ? Optional.empty()
                    : Optional.of("the first pull is under way"));
        readiness.warning("prometheus", puller::trouble);
        puller.start();
      } else {
        readiness.warning(
            "prometheus",
            () -> Optional.of("prometheus.url is empty: scores rest on requests and bookkeeping"));
      }
      WarmUp.run(config.server(), rehearsal(config, models, clock));
      http =
          part(new HttpServer(
                  config.server(), secrets, scorer, nodes, store, readiness, status, metrics))
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
    } catch (RuntimeException e) {
      closeParts();
      throw e;
    }
  }

  /** A scorer of the same make that shares nothing with the one that serves but the weights. */
  private static Scorer rehearsal(
      ServiceConfig config, @Nullable ModelServing models, Clock clock) {
    Serving serving = models == null ? new Serving(policy(config.scoring()), 0) : models.serving();
    NodeTable nodes = new NodeTable();
    return new Scorer(
        config.scoring(),
        serving,
        new ClusterState(serving.policy().usageConfig(ages(config.scoring()))),
        nodes,
        new ServiceMetrics(),
        clock,
        "warm-up",
        ScorerSink.decisions(d -> nodes.update(d.request().candidates(), d.at())));
  }

  /** Null for a policy that does not learn. */
  private static @Nullable AgentKind agentKind(String policy) {
    return Arrays.stream(AgentKind.values())
        .filter(k -> k.id().equals(policy) && !k.plain())
        .findFirst()
        .orElse(null);
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
