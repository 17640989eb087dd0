package dev.berth.service;

import dev.berth.policy.agent.OnlineLearner;
import dev.berth.service.http.Status;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.trainer.Trainer;
import java.time.Clock;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Collects {@code GET /v1/status} and the learner's metrics from the parts that know. */
final class StatusReport implements Supplier<Status> {
  private static final OnlineLearner.Progress NOTHING =
      new OnlineLearner.Progress(0, 0, 0, 0, 0, 0, 0, 0, 0);

  private final Scorer scorer;
  private final @Nullable Trainer trainer;
  private final ServiceMetrics metrics;
  private final Clock clock;
  private final long startedAt;

  StatusReport(Scorer scorer, @Nullable Trainer trainer, ServiceMetrics metrics, Clock clock) {
    this.scorer = scorer;
    this.trainer = trainer;
    this.metrics = metrics;
    this.clock = clock;
    this.startedAt = clock.millis();
  }

  void register(ServiceMetrics registry) {
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
        () -> trainer != null && trainer.alive() ? 1 : 0);
  }

  private Supplier<Double> progress(ToDoubleFunction<OnlineLearner.Progress> part) {
    return () -> part.applyAsDouble(progress());
  }

  private OnlineLearner.Progress progress() {
    return trainer == null ? NOTHING : trainer.progress();
  }

  @Override
  public Status get() {
    OnlineLearner.Progress p = progress();
    return new Status(
        scorer.instance(),
        scorer.serving().policy().name(),
        (clock.millis() - startedAt) / 1000.0,
        scorer.tally().decisions(),
        scorer.tally().neutral(),
        scorer.runningPods(),
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
        trainer == null ? "off" : trainer.trouble().orElse("alive"));
  }
}
