package dev.berth.service.trainer;

import dev.berth.policy.agent.AgentConfig;
import dev.berth.policy.agent.BalanceModel;
import dev.berth.policy.agent.OnlineLearner;
import dev.berth.policy.agent.OpenDecision;
import dev.berth.policy.agent.Origin;
import dev.berth.policy.agent.Settled;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.tensor.Adam;
import dev.berth.service.config.TrainerConfig;
import dev.berth.service.queue.ByteQueue;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Mode;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.ScoreReply;
import dev.berth.service.scoring.SharedState;
import dev.berth.service.store.ExperienceStore;
import dev.berth.service.store.RewardRecord;
import dev.berth.service.task.Pacer;
import dev.berth.service.task.Tasks;
import dev.berth.service.task.TokenBucket;
import dev.berth.simulator.learning.ScenarioGate;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that learns: takes decisions whose pods are bound, settles them when their
 * placements can be measured, steps the gradient, checkpoints, and lets {@link Promotions} judge
 * newer weights.
 *
 * <p>The cluster state is read under the scorer's lock in small portions and for at most a tenth of
 * the time, so that scoring hardly waits; gradient steps need no lock. If learning fails, it begins
 * again from the last checkpoint after a pause that grows, and the last promoted model goes on
 * serving meanwhile.
 */
public final class Trainer implements Learner {
  private static final Logger log = LoggerFactory.getLogger(Trainer.class);
  private static final int TAKEN_AT_ONCE = 32;

  /** Settling takes tens of seconds; at 20 ms an idle trainer took half a percent of a core. */
  private static final long IDLE_MILLIS = 100;

  private static final int STEPS_AT_ONCE = 32;
  private static final int LOCK_SHARE = 10;
  private static final long MAX_HELD_NANOS = 100_000;
  private static final long MAX_PAUSE_NANOS = 100_000_000;
  private static final long DECIDE_NANOS = 200_000_000;

  /** Rewards take minutes: looked for once a second, they meet fewer questions at the lock. */
  private static final long SETTLE_NANOS = 1_000_000_000;

  private static final long FIRST_RESTART_MILLIS = 1_000;
  private static final long MAX_RESTART_MILLIS = 300_000;

  /** A decision whose pod was bound to candidate {@code chosen} at a time of the scorer's clock. */
  private record Placed(OpenDecision decision, int chosen, double at) {}

  private final TrainerConfig config;
  private final AgentConfig agent;
  private final SharedState shared;
  private final ModelServing models;
  private final ExperienceStore store;
  private final LearnerCheckpoint checkpoint;
  private final UnaryOperator<String> names;
  private final Promotions promotions;
  private final AwaitingBinds awaiting;
  private final TokenBucket rate;
  private final LongAdder aboveRate = new LongAdder();
  private final RandomGenerator kept = new SplittableRandom();
  private final ByteQueue<Placed> queue;
  private final List<RewardRecord> rewards = new ArrayList<>();
  private final Pacer pacer = new Pacer();
  private final Thread thread;
  private final CountDownLatch closing = new CountDownLatch(1);
  private OnlineLearner learner;
  private volatile OnlineLearner.Progress progress;
  private volatile @Nullable String failure;
  private volatile long restarts;
  private long owed;

  /**
   * @param names gives one instance for equal names of nodes
   */
  public Trainer(
      TrainerConfig config,
      AgentConfig agent,
      SharedState shared,
      ModelServing models,
      ExperienceStore store,
      UnaryOperator<String> names,
      Path checkpoint,
      Tasks tasks) {
    this.config = config;
    this.agent = agent;
    this.shared = shared;
    this.models = models;
    this.store = store;
    this.names = names;
    this.checkpoint = new LearnerCheckpoint(checkpoint, agent);
    this.rate = TokenBucket.ofAMinute(config.decisionsPerSecond(), kept);
    this.awaiting = new AwaitingBinds(config.unbound().bytes(), rate::giveBack);
    this.queue = new ByteQueue<>(config.queue().bytes());
    this.learner = resumed();
    this.promotions =
        new Promotions(
            agent,
            models,
            config.scenarioBudget().isZero()
                ? null
                : new ScenarioTrials(new ScenarioGate(agent, config.scenarioBudget()), tasks),
            new EvidenceFile(checkpoint.resolveSibling(checkpoint.getFileName() + ".evidence")));
    progress = learner.progress();
    thread = tasks.thread("trainer", this::run);
  }

  private OnlineLearner resumed() {
    BalanceModel start = checkpoint.read(models.servingWeights());
    return new OnlineLearner(
        agent,
        start.weights(),
        new Adam(start.weights().spec(), agent.learning().learningRate(), start.moments()),
        new SplittableRandom(start.moments().step()),
        config.unmeasured().bytes(),
        this::settled,
        pacer::pace);
  }

  public Trainer start() {
    thread.start();
    return this;
  }

  @Override
  public void decided(DecisionRecord record) {
    DecisionRecord.Learnable d = record.learnable();
    if (d == null || d.candidates().size() < 2) {
      return;
    }
    if (!rate.take(record.at())) {
      aboveRate.increment(); // and its copy, which costs as much as a score, is not made
      return;
    }
    awaiting.add(
        OpenDecision.of(
            agent,
            origin(record, d),
            d.candidates(),
            d.state(),
            d.preferences(),
            d.first(),
            names,
            kept),
        record.at());
  }

  private Origin origin(DecisionRecord record, DecisionRecord.Learnable d) {
    ScoreReply reply = record.reply();
    Double clip = record.request().clip();
    boolean lowered = clip != null && clip < agent.correction().clip();
    return new Origin(
        reply.decision(),
        record.request().pod().owner(),
        reply.modelVersion(),
        reply.mode() != Mode.SHADOW && !reply.explored() && !d.arm() && !lowered);
  }

  @Override
  public void happened(List<OutcomeEvent> events) {
    for (OutcomeEvent event : events) {
      String id = event.decision();
      if (id != null && event.type() == OutcomeEvent.Type.UNRESERVED) {
        awaiting.unreserved(id);
      } else if (id != null && event.type() == OutcomeEvent.Type.BOUND && event.node() != null) {
        OpenDecision open = awaiting.bound(id, event.node());
        if (open != null) {
          bound(open, open.indexOf(event.node()));
        }
      }
    }
  }

  void bound(OpenDecision open, int chosen) {
    queue.offer(new Placed(open, chosen, shared.now()), open.bytes());
  }

  @Override
  public long dropped() {
    return queue.dropped();
  }

  @Override
  public Map<String, Long> lost() {
    Map<String, Long> all = new TreeMap<>(awaiting.lost());
    all.put("above-rate", aboveRate.sum());
    all.put("unmeasured-memory", progress.dropped());
    all.put("not-finite", progress.skipped());
    return all;
  }

  @Override
  public long restarts() {
    return restarts;
  }

  @Override
  public OnlineLearner.Progress progress() {
    return progress;
  }

  @Override
  public PromotionStatus promotion() {
    return promotions.promotion();
  }

  @Override
  public PromotionStatus watch() {
    return promotions.watch();
  }

  @Override
  public Map<String, Long> verdicts() {
    return promotions.verdicts();
  }

  @Override
  public Optional<String> healthProblem() {
    return Optional.ofNullable(failure).or(checkpoint::healthProblem).or(promotions::healthProblem);
  }

  @Override
  public State state() {
    return failure == null ? State.ALIVE : State.RECOVERING;
  }

  private void run() {
    long pause = 0;
    while (closing.getCount() > 0) {
      long began = System.nanoTime();
      try {
        if (failure != null) {
          if (closing.await(pause, TimeUnit.MILLISECONDS)) {
            return;
          }
          began = System.nanoTime();
          restart();
        }
        learn();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (Throwable e) { // errors too: whatever it is, scoring goes on
        pause = pause(pause, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        failure =
            "the learner failed and begins again from its last checkpoint in %d s, model version %d goes on serving: set trainer.enabled to false if it does not recover (%s)"
                .formatted(pause / 1000, models.serving().modelVersion(), e);
        log.error("{}", failure, e);
      }
    }
  }

  /** Longer after every failure, unless it learned for long in between. */
  private static long pause(long before, long lived) {
    return before == 0 || lived > MAX_RESTART_MILLIS
        ? FIRST_RESTART_MILLIS
        : Math.min(MAX_RESTART_MILLIS, 2 * before);
  }

  /** Whatever cannot be read back is one more failure of the learner. */
  private void restart() {
    restarts++;
    learner = resumed();
    owed = 0;
    rewards.clear();
    failure = null;
  }

  private void learn() throws InterruptedException {
    long judgeAt = System.nanoTime() + config.judge().toNanos();
    long checkpointAt = System.nanoTime() + config.checkpoint().toNanos();
    long decideAt = System.nanoTime();
    long settleAt = System.nanoTime();
    boolean more = false; // may be settled
    while (closing.getCount() > 0) {
      Placed placed = queue.poll(more || owed > 0 ? 0 : IDLE_MILLIS, TimeUnit.MILLISECONDS);
      for (int i = 0; placed != null; i++) {
        learner.placed(placed.decision(), placed.chosen(), placed.at());
        pacer.pace();
        placed = i < TAKEN_AT_ONCE ? queue.poll() : null;
      }
      if (System.nanoTime() - settleAt >= 0) {
        more = settle();
        settleAt = System.nanoTime() + (more ? 0 : SETTLE_NANOS);
      }
      train();
      progress = learner.progress();
      if (System.nanoTime() - judgeAt >= 0) {
        promotions.judge(learner);
        judgeAt = System.nanoTime() + config.judge().toNanos();
      }
      if (System.nanoTime() - checkpointAt >= 0) {
        checkpoint.write(model());
        promotions.write();
        checkpointAt = System.nanoTime() + config.checkpoint().toNanos();
      }
      if (System.nanoTime() - decideAt >= 0) {
        promotions.decide(learner);
        decideAt = System.nanoTime() + DECIDE_NANOS;
      }
    }
    checkpoint.write(model());
    promotions.write();
  }

  /** Settles what is due, for as long as the lock may be held; returns whether more may be. */
  private boolean settle() throws InterruptedException {
    int[] settled = new int[1];
    boolean[] more = new boolean[1];
    withState(
        state -> {
          long end = System.nanoTime() + MAX_HELD_NANOS;
          int before;
          do {
            before = learner.progress().waiting();
            settled[0] += learner.advance(shared.now(), state, 1);
            more[0] = learner.progress().waiting() < before;
          } while (more[0] && System.nanoTime() < end);
        });
    owed += (long) settled[0] * config.stepsPerDecision();
    if (!rewards.isEmpty()) {
      store.rewarded(List.copyOf(rewards));
      rewards.clear();
    }
    return more[0];
  }

  /** Reads the cluster state; limits lock occupancy to 10 %. */
  private void withState(Consumer<ClusterState> reader) throws InterruptedException {
    long[] held = new long[1];
    shared.with(
        state -> {
          long start = System.nanoTime();
          reader.accept(state);
          held[0] = System.nanoTime() - start;
        });
    TimeUnit.NANOSECONDS.sleep(Math.min(MAX_PAUSE_NANOS, held[0] * (LOCK_SHARE - 1)));
  }

  private void settled(Settled s) {
    promotions.settled(s);
    if (!Double.isNaN(s.reward())) {
      rewards.add(new RewardRecord(s.origin().decision(), shared.now(), s.reward()));
    }
  }

  /** Keeps up with what is settled between two turns: more owed steps than these would pile up. */
  private void train() {
    for (int i = 0; i < STEPS_AT_ONCE && owed > 0; i++) {
      owed = learner.train(1) == 0 ? 0 : owed - 1;
      pacer.pace();
    }
  }

  private BalanceModel model() {
    OnlineLearner.Progress p = learner.progress();
    return BalanceModel.of(agent, learner.weights(), learner.moments(), p.steps(), p.settled());
  }

  /** Ends after the step under way, with a checkpoint. */
  @Override
  public void close() {
    closing.countDown();
    promotions.close();
    try {
      thread.join(TimeUnit.SECONDS.toMillis(10));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
