package dev.berth.service.trainer;

import dev.berth.policy.Decision;
import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.OnlineLearner;
import dev.berth.policy.agent.PromotionGate;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.tensor.Adam;
import dev.berth.service.config.TrainerConfig;
import dev.berth.service.registry.AtomicFile;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.store.ExperienceStore;
import dev.berth.service.store.RewardRecord;
import dev.berth.simulator.learning.ScenarioGate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that learns: takes decisions, settles them when their placements can be measured,
 * steps the gradient, checkpoints, and puts newer weights before the gate.
 *
 * <p>The cluster state is read under the scorer's lock in small portions and for at most a tenth of
 * the time, so that scoring hardly waits; gradient steps need no lock. If this thread dies, the
 * last promoted model goes on serving.
 */
public final class Trainer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Trainer.class);
  private static final int TAKEN_AT_ONCE = 32;
  private static final int SETTLED_AT_ONCE = 4;
  private static final int STEPS_AT_ONCE = 32;
  private static final int LOCK_SHARE = 10;
  private static final long SHORT_NANOS = 200_000;
  private static final long MOST_HELD_NANOS = 1_000_000;
  private static final long MOST_PAUSE_NANOS = 100_000_000;

  private final TrainerConfig config;
  private final AgentConfig agent;
  private final Scorer scorer;
  private final ModelServing models;
  private final ExperienceStore store;
  private final Path checkpoint;
  private final OnlineLearner learner;
  private final @Nullable ScenarioTrials trials;
  private final BlockingQueue<DecisionRecord> queue;
  private final LongAdder dropped = new LongAdder();
  private final WaitingDecisions waiting = new WaitingDecisions();
  private final List<RewardRecord> rewards = new ArrayList<>();
  private final Thread thread = new Thread(this::run, "trainer");
  private volatile OnlineLearner.Progress progress;
  private volatile @Nullable String trouble;
  private volatile boolean closing;
  private long owed;
  private long checkpointedStep;
  private long judgedStep;

  public Trainer(
      TrainerConfig config,
      AgentConfig agent,
      Scorer scorer,
      ModelServing models,
      ExperienceStore store,
      Path checkpoint) {
    this.config = config;
    this.agent = agent;
    this.scorer = scorer;
    this.models = models;
    this.store = store;
    this.checkpoint = checkpoint;
    this.queue = new ArrayBlockingQueue<>(config.queue());
    BalanceModel start = resume();
    this.learner =
        new OnlineLearner(
            agent,
            start.weights(),
            new Adam(start.weights().spec(), agent.learning().learningRate(), start.moments()),
            new SplittableRandom(start.moments().step()));
    learner.onSettled(this::settled);
    this.trials =
        config.scenarioBudget().isZero()
            ? null
            : new ScenarioTrials(new ScenarioGate(agent, config.scenarioBudget()), models);
    progress = learner.progress();
    thread.setDaemon(true);
  }

  /** From the checkpoint; from what serves when there is none or it does not fit. */
  private BalanceModel resume() {
    if (Files.exists(checkpoint)) {
      try {
        BalanceModel found = BalanceModel.decode(Files.readAllBytes(checkpoint), agent);
        log.info("learning goes on from gradient step {}", found.moments().step());
        return found;
      } catch (IllegalArgumentException | IOException e) {
        log.warn("{} is not used: {}", checkpoint, e.getMessage());
      }
    }
    var weights = models.servingWeights();
    return BalanceModel.of(
        agent, weights, new Adam(weights.spec(), agent.learning().learningRate()).moments(), 0, 0);
  }

  public Trainer start() {
    thread.start();
    return this;
  }

  /** Takes a decision to learn from; dropped and counted when the trainer is behind. */
  public void offer(DecisionRecord decision) {
    if (trouble != null || !queue.offer(decision)) {
      dropped.increment();
    }
  }

  public long dropped() {
    return dropped.sum();
  }

  public OnlineLearner.Progress progress() {
    return progress;
  }

  /** Why nothing is learned or promoted any more; empty while all is well. */
  public Optional<String> trouble() {
    Optional<String> died = Optional.ofNullable(trouble);
    return died.isPresent() || trials == null ? died : trials.trouble();
  }

  /** Whether the learner's thread learns; scoring goes on without it. */
  public boolean alive() {
    return trouble == null;
  }

  private void run() {
    long judgeAt = System.nanoTime() + config.judge().toNanos();
    long checkpointAt = System.nanoTime() + config.checkpoint().toNanos();
    try {
      while (!closing) {
        DecisionRecord decision = queue.poll(owed > 0 ? 0 : 20, TimeUnit.MILLISECONDS);
        for (int i = 0; decision != null && i < TAKEN_AT_ONCE; i++) {
          take(decision);
          decision = queue.poll();
        }
        if (decision != null) {
          take(decision);
        }
        settle();
        train();
        if (System.nanoTime() - judgeAt >= 0) {
          judge();
          judgeAt = System.nanoTime() + config.judge().toNanos();
        }
        if (System.nanoTime() - checkpointAt >= 0) {
          checkpoint();
          checkpointAt = System.nanoTime() + config.checkpoint().toNanos();
        }
        progress = learner.progress();
      }
      checkpoint();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) { // natives may throw errors too; whatever it is, scoring goes on
      trouble =
          "the learner died, the last promoted model goes on serving: restart the service to learn"
              + " on from the last checkpoint, or set trainer.enabled to false ("
              + e
              + ")";
      log.error(
          "the learner died; model version {} goes on serving", models.serving().modelVersion(), e);
    }
  }

  private void take(DecisionRecord decision) throws InterruptedException {
    int chosen = best(decision.reply().scores());
    withState(
        state ->
            learner.decided(
                new Decision(
                    decision.at(),
                    decision.request().pod(),
                    decision.request().candidates(),
                    state),
                chosen));
    waiting.add(decision);
  }

  private void settle() throws InterruptedException {
    int[] settled = new int[1];
    withState(
        state -> {
          long end = System.nanoTime() + MOST_HELD_NANOS;
          int before = learner.progress().waiting();
          int after;
          do {
            settled[0] += learner.advance(scorer.now(), state, SETTLED_AT_ONCE);
            after = before;
            before = learner.progress().waiting();
          } while (before < after && System.nanoTime() < end);
        });
    owed += (long) settled[0] * config.stepsPerDecision();
    if (!rewards.isEmpty()) {
      store.rewarded(List.copyOf(rewards));
      rewards.clear();
    }
  }

  /** Reads the cluster state; limits lock occupancy to 10 %. */
  private void withState(Consumer<ClusterState> reader) throws InterruptedException {
    long[] held = new long[1];
    scorer.withState(
        state -> {
          long start = System.nanoTime();
          reader.accept(state);
          held[0] = System.nanoTime() - start;
        });
    if (held[0] >= SHORT_NANOS) {
      TimeUnit.NANOSECONDS.sleep(Math.min(MOST_PAUSE_NANOS, held[0] * (LOCK_SHARE - 1)));
    }
  }

  private void settled(String podUid, double decidedAt, double reward) {
    String decision = waiting.take(podUid, decidedAt);
    if (decision != null && !Double.isNaN(reward)) {
      rewards.add(new RewardRecord(decision, scorer.now(), reward));
    }
  }

  private void train() {
    int taken = learner.train((int) Math.min(STEPS_AT_ONCE, owed));
    owed = learner.progress().steps() == 0 ? 0 : owed - taken;
  }

  private void judge() {
    long step = learner.moments().step();
    if (step == judgedStep || (trials != null && trials.busy())) {
      return;
    }
    judgedStep = step;
    PromotionGate.Verdict verdict =
        new PromotionGate(agent, config.leastGain())
            .judge(models.servingWeights(), learner.weights(), learner.heldOut());
    boolean more = verdict.promote() && trials != null;
    log.info(
        "gradient step {}: {} ({})",
        step,
        more ? "goes to the fixed scenarios" : verdict.promote() ? "promoted" : "kept back",
        verdict.reason());
    if (trials != null && more) {
      trials.begin(model(), learner.progress().settled(), verdict.reason());
    } else if (verdict.promote()) {
      models.promote(model(), learner.progress().settled(), verdict.reason());
    }
  }

  private void checkpoint() throws IOException {
    long step = learner.moments().step();
    if (step != checkpointedStep) {
      AtomicFile.write(checkpoint, model().encode());
      checkpointedStep = step;
    }
  }

  private BalanceModel model() {
    OnlineLearner.Progress p = learner.progress();
    return BalanceModel.of(agent, learner.weights(), learner.moments(), p.steps(), p.settled());
  }

  private static int best(int[] scores) {
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }

  /** Ends after the step under way, with a checkpoint. */
  @Override
  public void close() {
    closing = true;
    if (trials != null) {
      trials.close();
    }
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
