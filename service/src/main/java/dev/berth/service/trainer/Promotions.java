package dev.berth.service.trainer;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.HeldOut;
import dev.berth.policy.agent.OnlineLearner;
import dev.berth.policy.agent.PromotionGate;
import dev.berth.policy.agent.Settled;
import dev.berth.policy.evidence.Estimate;
import dev.berth.policy.evidence.Looks;
import dev.berth.service.registry.ModelInfo.Verdict;
import dev.berth.service.scoring.Serving;
import dev.berth.service.trainer.PromotionStatus.State;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which weights serve, and why. Newer ones must gain clearly on held-out decisions ({@link
 * PromotionGate}), must not be clearly worse on the fixed scenarios ({@link ScenarioTrials}), then
 * serve for half of the owners ({@link LiveTrial}) and, if they do not lose there, for all. What
 * serves alone stays watched ({@link Watch}) and steps back when it is clearly worse than its base.
 * A rollback wins over all of it.
 *
 * <p>Thread rule: the trainer's thread, but for what reports: {@link #promotion}, {@link #watch},
 * {@link #verdicts}, {@link #healthProblem}; and {@link #close}.
 */
final class Promotions implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Promotions.class);

  private final AgentConfig agent;
  private final PromotionGate gate;
  private final ModelServing models;
  private final @Nullable ScenarioTrials scenarios;
  private final double window;
  private final EvidenceFile file;
  private final Map<State, LongAdder> verdicts = new EnumMap<>(State.class);
  private Looks looks = PromotionGate.looks();
  private Watch watched;
  private @Nullable LiveTrial trial;
  private long judgedStep;
  private volatile PromotionStatus promotion =
      PromotionStatus.waiting("no newer weights were judged yet");
  private volatile PromotionStatus watch;
  private volatile @Nullable String unwritten;

  /**
   * @param scenarios closed with this; null to leave them out
   */
  Promotions(
      AgentConfig agent,
      ModelServing models,
      @Nullable ScenarioTrials scenarios,
      EvidenceFile file) {
    this.agent = agent;
    this.gate = new PromotionGate(agent);
    this.models = models;
    this.scenarios = scenarios;
    this.window = Math.max(1, agent.task().windowSeconds());
    this.file = file;
    for (State verdict : List.of(State.TRIAL, State.SERVING, State.KEPT_BACK, State.STEPPED_BACK)) {
      verdicts.put(verdict, new LongAdder());
    }
    EvidenceFile.Kept kept = file.read().orElse(null);
    watched = kept == null ? new Watch(0, window) : kept.watch();
    if (kept != null) {
      looks = kept.looks();
      trial = kept.trial();
    }
    follow(models.serving());
    watch = watching();
  }

  /** Takes in a decision whose reward was measured. */
  void settled(Settled s) {
    watched.add(s);
    if (trial != null) {
      trial.add(s);
    }
  }

  /** Puts the newest weights before the gate, if none are on trial and there is new evidence. */
  void judge(OnlineLearner learner) {
    long step = learner.moments().step();
    List<HeldOut> heldOut = learner.heldOut();
    boolean busy = trial != null || (scenarios != null && scenarios.busy());
    if (busy || models.pinned() || step == judgedStep) {
      return;
    }
    if (!looks.due(learner.everHeldOut(), heldOut.size())) {
      if (promotion.state() == State.WAITING) {
        promotion =
            PromotionStatus.waiting(
                heldOut.size() + " held-out decisions, need " + PromotionGate.MIN_DECISIONS);
      }
      return;
    }
    judgedStep = step;
    double level = looks.take(learner.everHeldOut());
    PromotionGate.Verdict verdict =
        gate.judge(models.servingWeights(), learner.weights(), heldOut, level);
    if (!verdict.promote()) {
      keptBack(step, verdict.estimate(), verdict.reason());
    } else if (scenarios == null) {
      begin(model(learner), verdict.reason());
    } else {
      log.info("gradient step {}: goes to the fixed scenarios ({})", step, verdict.reason());
      scenarios.begin(models.servingWeights(), model(learner), verdict);
    }
  }

  private BalanceModel model(OnlineLearner learner) {
    OnlineLearner.Progress p = learner.progress();
    return BalanceModel.of(agent, learner.weights(), learner.moments(), p.steps(), p.settled());
  }

  /** Acts on what was measured since the last call. */
  void decide(OnlineLearner learner) {
    follow(models.serving());
    ScenarioTrials.Played played = scenarios == null ? null : scenarios.poll();
    if (played != null) {
      String reason = played.heldOut().reason() + "; " + played.verdict().reason();
      if (played.verdict().promote()) {
        begin(played.candidate(), reason);
      } else {
        learner.forgetHeldOut();
        keptBack(played.candidate().moments().step(), played.heldOut().estimate(), reason);
      }
    }
    if (trial != null) {
      decide(trial, learner);
    } else if (watched.worse()) {
      stepBack(learner);
    }
    watch = watching();
  }

  /** What serves may have been changed by somebody else: a rollback, above all. */
  private void follow(Serving serving) {
    long version = serving.modelVersion();
    Serving tried = serving.trial();
    if (trial != null
        && (tried == null
            || tried.modelVersion() != trial.version()
            || version != trial.against())) {
      tell(State.KEPT_BACK, trial.version(), version, Estimate.NONE, "its trial was ended by hand");
      trial = null;
    }
    if (tried != null && trial == null) {
      trial = new LiveTrial(tried.modelVersion(), version, window);
    }
    if (watched.version() != version) {
      watched = new Watch(version, window);
      looks.restart();
    }
    if (models.pinned()) {
      promotion =
          PromotionStatus.of(
              State.PINNED,
              version,
              null,
              Estimate.NONE,
              "a rollback holds version " + version + " until 'berth models unpin'");
    } else if (promotion.state() == State.PINNED) {
      promotion = PromotionStatus.waiting("the rollback was lifted, nothing was judged since");
    }
  }

  private void begin(BalanceModel candidate, String reason) {
    long against = models.serving().modelVersion();
    long[] tried = {0};
    written(() -> tried[0] = models.tryOut(candidate, reason));
    long version = tried[0];
    if (version > 0) {
      trial = new LiveTrial(version, against, window);
      count(State.TRIAL);
      tell(State.TRIAL, version, against, Estimate.NONE, reason);
      log.info("model version {} serves for half of the owners ({})", version, reason);
    }
  }

  private void decide(LiveTrial current, OnlineLearner learner) {
    LiveTrial.Result result = current.look();
    long version = current.version();
    switch (result.outcome()) {
      case OPEN ->
          tell(State.TRIAL, version, current.against(), result.estimate(), result.reason());
      case WON -> {
        String reason = "serves: " + result.reason();
        if (written(() -> models.promote(version, new Verdict(false, reason)))) {
          ended(State.SERVING, current, result, reason);
          watched = new Watch(version, window);
          looks.restart();
        }
      }
      case LOST -> {
        String reason = "kept back: " + result.reason();
        if (written(() -> models.endTrial(version, new Verdict(true, reason)))) {
          ended(State.KEPT_BACK, current, result, reason);
          learner.forgetHeldOut();
        }
      }
    }
  }

  private void ended(State state, LiveTrial ended, LiveTrial.Result result, String reason) {
    count(state);
    tell(state, ended.version(), ended.against(), result.estimate(), reason);
    log.info("model version {} {}", ended.version(), reason);
    trial = null;
  }

  private void stepBack(OnlineLearner learner) {
    long version = watched.version();
    String reason = "stepped back: " + watched.words();
    if (models.pinned()) {
      log.warn("model version {} is held by a rollback, but {}", version, watched.words());
      return;
    }
    if (!written(() -> models.stepBack(version, new Verdict(true, reason)))) {
      return;
    }
    count(State.STEPPED_BACK);
    tell(State.STEPPED_BACK, version, null, watched.estimate(), reason);
    log.warn("model version {} {}", version, reason);
    learner.forgetHeldOut();
    follow(models.serving());
  }

  /**
   * Changes the folder of models. A disk that is full is no reason to stop learning: what serves
   * stays, and with more evidence it is tried again.
   */
  private boolean written(Runnable change) {
    try {
      change.run();
      unwritten = null;
      return true;
    } catch (UncheckedIOException e) {
      if (unwritten == null) {
        log.error("the folder of models cannot be written", e);
      }
      unwritten = "what serves stays, whatever was measured: " + e.getMessage();
      return false;
    }
  }

  private void keptBack(long step, Estimate estimate, String why) {
    String reason = "kept back: " + why;
    count(State.KEPT_BACK);
    tell(State.KEPT_BACK, null, models.serving().modelVersion(), estimate, reason);
    log.info("gradient step {}: {}", step, reason);
  }

  private void tell(
      State state,
      @Nullable Long version,
      @Nullable Long against,
      Estimate estimate,
      String reason) {
    promotion = PromotionStatus.of(state, version, against, estimate, reason);
  }

  private PromotionStatus watching() {
    return PromotionStatus.of(
        State.SERVING, watched.version(), null, watched.estimate(), watched.words());
  }

  private void count(State verdict) {
    LongAdder counter = verdicts.get(verdict);
    if (counter != null) {
      counter.increment();
    }
  }

  /** Writes what is known. */
  void write() {
    file.write(new EvidenceFile.Kept(looks, watched, trial));
  }

  PromotionStatus promotion() {
    return promotion;
  }

  PromotionStatus watch() {
    return watch;
  }

  /** How often each was said since the start. */
  Map<String, Long> verdicts() {
    Map<String, Long> counts = new TreeMap<>();
    verdicts.forEach((state, n) -> counts.put(state.wireName(), n.sum()));
    return counts;
  }

  Optional<String> healthProblem() {
    return file.healthProblem()
        .or(() -> Optional.ofNullable(unwritten))
        .or(() -> scenarios == null ? Optional.empty() : scenarios.healthProblem());
  }

  /** Gives up the candidate that is being tried on the scenarios. */
  @Override
  public void close() {
    if (scenarios != null) {
      scenarios.close();
    }
  }
}
