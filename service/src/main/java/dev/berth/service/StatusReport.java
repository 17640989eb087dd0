package dev.berth.service;

import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.agent.OnlineLearner;
import dev.berth.service.effect.Effect;
import dev.berth.service.http.Status;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.prometheus.FiringAlerts;
import dev.berth.service.regret.Today;
import dev.berth.service.scoring.Schedulers;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.trainer.Learner;
import dev.berth.service.trainer.PromotionStatus;
import java.time.Clock;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Collects {@code GET /v1/status} and the learner's metrics from the parts that know. */
final class StatusReport implements Supplier<Status> {
  private final Scorer scorer;
  private final Learner learner;
  private final Effect effect;
  private final Today today;
  private final IntSupplier measuredPods;
  private final Supplier<@Nullable List<FiringAlerts.Alert>> alerts;
  private final ServiceMetrics metrics;
  private final Clock clock;
  private final long startedAt;

  StatusReport(
      Scorer scorer,
      Learner learner,
      Effect effect,
      Today today,
      IntSupplier measuredPods,
      Supplier<@Nullable List<FiringAlerts.Alert>> alerts,
      ServiceMetrics metrics,
      Clock clock) {
    this.scorer = scorer;
    this.learner = learner;
    this.effect = effect;
    this.today = today;
    this.measuredPods = measuredPods;
    this.alerts = alerts;
    this.metrics = metrics;
    this.clock = clock;
    this.startedAt = clock.millis();
  }

  void register(ServiceMetrics registry) {
    registry.gauge(
        "berth_schedulers_outdated",
        "Schedulers that asked within the last hour and speak an older revision of the contract.",
        () ->
            scorer.schedulers().list(scorer.now()).stream()
                .filter(s -> s.contract() < Schedulers.CONTRACT)
                .count());
    registry.gauge(
        "berth_model_version",
        "Version that serves, 0 for a policy that does not learn.",
        () -> scorer.serving().modelVersion());
    registry.counter(
        "berth_train_steps",
        "Gradient steps since the start.",
        progress(OnlineLearner.Progress::steps)::get);
    registry.counter(
        "berth_transitions",
        "Decisions with a measured reward.",
        progress(OnlineLearner.Progress::settled)::get);
    registry.counter(
        "berth_transitions_unmeasured",
        "Decisions given up because no sample showed what became of them.",
        progress(OnlineLearner.Progress::unmeasured)::get);
    registry.gauge(
        "berth_replay_size",
        "Transitions to learn from.",
        progress(OnlineLearner.Progress::remembered)::get);
    registry.gauge(
        "berth_loss", "Running mean of the loss.", progress(OnlineLearner.Progress::loss)::get);
    registry.gauge(
        "berth_reward",
        "Running mean of the chosen candidates' reward, against the mean of all candidates.",
        progress(OnlineLearner.Progress::reward)::get);
    registry.gauge(
        "berth_trainer_alive",
        "1 while the trainer learns, 0 while it recovers from a failure or is off.",
        () -> learner.state() == Learner.State.ALIVE ? 1 : 0);
    promotion(registry, "berth_promotion", "the newest weights", learner::promotion);
    promotion(registry, "berth_watch", "the serving version over its base", learner::watch);
    registry.counters(
        "berth_promotion_verdicts",
        "Newer weights that went on trial, served alone, were kept back, stepped back.",
        "verdict",
        learner::verdicts);
    registry.dropped("trainer", learner::dropped);
    registry.counters(
        "berth_decisions_not_learned",
        "Decisions that nothing was learned from, by cause.",
        "cause",
        learner::lost);
    registry.counter(
        "berth_trainer_restarts",
        "How often learning began again from the last checkpoint after a failure.",
        learner::restarts);
  }

  private static void promotion(
      ServiceMetrics registry,
      String name,
      String whose,
      Supplier<@Nullable PromotionStatus> status) {
    registry.gauge(
        name + "_gain",
        "Mean reward per decision that " + whose + " gain, as measured; NaN before it was.",
        () -> {
          PromotionStatus s = status.get();
          Double gain = s == null ? null : s.gain();
          return gain == null ? Double.NaN : gain;
        });
    registry.gauge(
        name + "_decisions",
        "Measured decisions behind it.",
        () -> {
          PromotionStatus s = status.get();
          return s == null ? 0 : s.decisions();
        });
  }

  private Supplier<Double> progress(ToDoubleFunction<OnlineLearner.Progress> part) {
    return () -> part.applyAsDouble(learner.progress());
  }

  @Override
  public Status get() {
    OnlineLearner.Progress p = learner.progress();
    return new Status(
        scorer.instance(),
        scorer.serving().policy().name(),
        (clock.millis() - startedAt) / 1000.0,
        scorer.tally().decisions(),
        scorer.tally().neutral(),
        scorer.runningPods(),
        measuredPods.getAsInt(),
        scorer.schedulers().list(scorer.now()),
        metrics.scoreLatency.quantiles(),
        p.settled(),
        p.waiting(),
        p.remembered(),
        p.steps(),
        scorer.serving().modelVersion(),
        scorer.tally().versions(),
        scorer.tally().byNewerModels(),
        p.settled() == 0 ? null : p.reward(),
        p.steps() == 0 ? null : p.loss(),
        scorer.forecasts().accuracy(),
        effect.report(),
        today.latest(),
        scorer.serving().policy() instanceof LearnedPolicy learned
            ? learned.config().correction().clip()
            : null,
        alerts.get(),
        learner.promotion(),
        learner.watch(),
        learner.healthProblem().orElse(learner.state() == Learner.State.OFF ? "off" : "alive"));
  }
}
