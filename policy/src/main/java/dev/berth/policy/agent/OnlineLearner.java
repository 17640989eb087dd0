package dev.berth.policy.agent;

import dev.berth.policy.Decision;
import dev.berth.policy.evidence.Owners;
import dev.berth.policy.network.Floats;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Weights;
import dev.berth.policy.replay.ReplayBuffer;
import dev.berth.policy.replay.Transition;
import dev.berth.policy.reward.Measurement;
import dev.berth.policy.reward.Rewards;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.tensor.Adam;
import dev.berth.policy.tensor.Learner;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Learns from what became of placements. The simulator (virtual time) and the live service (real
 * time) drive this same class:
 *
 * <ol>
 *   <li>{@link #placed} remembers a decision and where its pod was bound;
 *   <li>{@link #advance} settles decisions that are old enough: the usage measured since, on the
 *       chosen node and on every other candidate, less what later binds brought, says what each
 *       candidate would have earned, as a difference to their mean;
 *   <li>{@link #train} takes gradient steps; {@link #weights} is what it has learned.
 * </ol>
 *
 * Two of twenty windows of time are held out for {@link PromotionGate}. Decisions of the same
 * minutes rest on the same measurements: one among those that are learned from would show what was
 * learned of their noise as a gain. So nothing is learned from what shares a measurement with a
 * held-out one, either.
 *
 * <p>Thread rule: one thread (the trainer); {@link #decided} and {@link #advance} read the cluster
 * state, so their owner's lock must be held around these two. What waits is bounded in bytes.
 */
public final class OnlineLearner {
  private static final long PENDING_BYTES = 256 << 20;
  private static final int HELD_OUT = 1_000;

  /** Windows in a row of which {@link #HELD_OUT_WINDOWS} are held out. */
  private static final int CYCLE = 20;

  private static final int HELD_OUT_WINDOWS = 2;

  /** Those before: in a short run, too, something is learned first. */
  private static final int LEARNED_FIRST = 3;

  /** Held out of each at most, so that those that are kept are of many. */
  private static final int PER_WINDOW = 25;

  private final AgentConfig config;
  private RandomGenerator random;
  private ReplayBuffer replay;
  private final Learner learner;
  private final long pendingLimit;
  private final Deque<PendingDecision> pending = new ArrayDeque<>();
  private long pendingBytes;
  private final Deque<HeldOut> heldOut = new ArrayDeque<>();
  private final LearnedPolicy reference;
  private final OutcomeMeter meter;
  private final AgentLoss losses;
  private final Consumer<Settled> onSettled;
  private Weights target;
  private @Nullable Transition previous;
  private double windowBegan = Double.NEGATIVE_INFINITY;
  private long window;
  private int heldOutInWindow;
  private long everHeldOut;
  private long settled;
  private long unmeasured;
  private long dropped;
  private long skipped;
  private long steps;
  private double meanLoss;
  private double meanReward;

  /**
   * @param adam optimiser of the weights, possibly resumed
   */
  public OnlineLearner(AgentConfig config, Weights initial, Adam adam, RandomGenerator random) {
    this(config, initial, adam, random, PENDING_BYTES, decision -> {}, () -> {});
  }

  /**
   * @param adam optimiser of the weights, possibly resumed
   * @param pendingLimit bytes of decisions that may wait for their reward
   * @param onSettled told of every settled decision, on the learner's thread
   * @param between called between the parts of a gradient step, which takes milliseconds
   */
  public OnlineLearner(
      AgentConfig config,
      Weights initial,
      Adam adam,
      RandomGenerator random,
      long pendingLimit,
      Consumer<Settled> onSettled,
      Runnable between) {
    this.config = config;
    this.pendingLimit = pendingLimit;
    this.random = random;
    this.replay = new ReplayBuffer(config.replay().bufferSize());
    this.learner = new Learner(initial, adam, config.learning().maxGradNorm(), between);
    this.target = initial;
    this.reference = new LearnedPolicy(config, initial);
    this.meter = new OutcomeMeter(config);
    this.losses = new AgentLoss(config, between);
    this.onSettled = onSettled;
  }

  /** A learner that starts from the given weights with a fresh optimiser. */
  public static OnlineLearner from(AgentConfig config, Weights initial, RandomGenerator random) {
    return new OnlineLearner(
        config, initial, new Adam(initial.spec(), config.learning().learningRate()), random);
  }

  /** Remembers a decision and the candidate that was taken, in one instant. */
  public void decided(Decision d, int chosen) {
    if (d.candidates().size() >= 2) {
      OpenDecision open = open(d, chosen);
      placed(open, open.indexOf(d.candidates().names()[chosen]), d.now());
    }
  }

  private OpenDecision open(Decision d, int chosen) {
    DecisionState s = DecisionState.of(reference, d);
    return OpenDecision.of(
        config,
        Origin.of(d.pod()),
        d.candidates(),
        s,
        s.base(),
        chosen,
        UnaryOperator.identity(),
        random);
  }

  /**
   * Remembers a decision and where its pod was bound. If too many wait already it is dropped and
   * counted: those before it are nearer to their reward.
   *
   * @param chosen index of the node
   * @param at when it was bound, seconds on the clock of {@link #advance}
   */
  public void placed(OpenDecision open, int chosen, double at) {
    if (open.names().length < 2) {
      return; // with one feasible node there is nothing to learn
    }
    PendingDecision p = PendingDecision.of(open, chosen, at, config.replay().width(), random);
    if (config.task().immediate()) {
      settle(p, meter.immediate(p));
    } else if (pendingBytes + p.bytes() > pendingLimit) {
      dropped++;
    } else {
      pending.addLast(p);
      pendingBytes += p.bytes();
    }
  }

  /**
   * Learns to prefer what a teacher prefers: its preferences take the place of measured rewards,
   * stretched to the spread that the forecast expects of those. Only for an agent alone.
   */
  public void imitate(Decision d, double[] preferences, int chosen) {
    double[] wanted = preferences.clone();
    Rewards.center(wanted);
    if (d.candidates().size() < 2 || spread(wanted) == 0) {
      return; // the teacher has no preference
    }
    OpenDecision open = open(d, chosen);
    int row = open.indexOf(d.candidates().names()[chosen]);
    PendingDecision p = PendingDecision.of(open, row, d.now(), config.replay().width(), random);
    double[] expected = Objective.rewards(p.load(), p.power(), p.podCores());
    double scale = spread(expected) / spread(wanted);
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] *= scale;
    }
    remember(p, p.take(wanted));
  }

  /** Forgets all experience but not what was learned from it: the end of a warm start. */
  public void forget() {
    replay = new ReplayBuffer(config.replay().bufferSize());
    heldOut.clear();
    pending.clear();
    pendingBytes = 0;
    previous = null;
    target = learner.weights();
  }

  private static double spread(double[] centred) {
    double sum = 0;
    for (double x : centred) {
      sum += x * x / centred.length;
    }
    return Math.sqrt(sum);
  }

  /** Settles what is old enough; returns how many decisions. */
  public int advance(double now, ClusterState state) {
    return advance(now, state, Integer.MAX_VALUE);
  }

  /** Settles at most {@code most} decisions, so that the cluster state is not held for long. */
  public int advance(double now, ClusterState state, int most) {
    int count = 0;
    int looked = 0;
    double age = config.task().settleSeconds() + config.task().windowSeconds();
    while (looked++ < most && !pending.isEmpty() && pending.getFirst().at() + age <= now) {
      PendingDecision p = pending.removeFirst();
      pendingBytes -= p.bytes();
      count += settle(p, meter.measure(p, now, state)) ? 1 : 0;
    }
    return count;
  }

  /** Whether anything was measured. */
  private boolean settle(PendingDecision p, Measurement m) {
    double[] rewards =
        config.task().credit() == Credit.DIFFERENCE
            ? config.task().rewards().of(p.immediateRewards(), m)
            : config.task().credit().rewards(m, p.chosen());
    float[] picked = p.take(rewards);
    boolean any = false;
    for (int i = 0; i < picked.length; i++) {
      picked[i] = p.picked()[i] < 0 ? Float.NaN : picked[i];
      any |= !Float.isNaN(picked[i]);
    }
    if (!any) {
      unmeasured++;
      return false;
    }
    remember(p, picked);
    onSettled.accept(p.settled(rewards));
    return true;
  }

  private void remember(PendingDecision p, float[] rewards) {
    Transition t = p.transition(rewards);
    if (!finite(t)) {
      skipped++; // one of them in a batch makes all of its gradient NaN
      return;
    }
    settled++;
    float reward = Float.isNaN(rewards[0]) ? 0 : rewards[0];
    meanReward += (reward - meanReward) * Math.max(0.01, 1.0 / settled);
    long turn = Math.floorMod(window(p.at()), CYCLE) - LEARNED_FIRST;
    if (turn > 0 && turn <= HELD_OUT_WINDOWS) {
      holdOut(p, t);
      return;
    }
    if (turn == 0 || turn == HELD_OUT_WINDOWS + 1) {
      return; // measured in part as these are
    }
    if (previous != null) {
      previous.followedBy(t);
    }
    previous = t;
    replay.add(t);
  }

  private void holdOut(PendingDecision p, Transition t) {
    if (heldOutInWindow == PER_WINDOW) {
      return;
    }
    heldOutInWindow++;
    heldOut.addLast(new HeldOut(t, Owners.hash(p.origin().owner()), window));
    everHeldOut++;
    if (heldOut.size() > HELD_OUT) {
      heldOut.removeFirst();
    }
  }

  /** Measurements that begin within one window's length are taken for the same. */
  private long window(double at) {
    double length = config.task().immediate() ? 0 : config.task().windowSeconds();
    if (at < windowBegan || at - windowBegan >= length) {
      windowBegan = at;
      heldOutInWindow = 0;
      window++;
    }
    return window;
  }

  private static boolean finite(Transition t) {
    double sum = 0;
    for (float[] column :
        new float[][] {
          t.before().features(), t.after().features(), t.base(), t.expected(), t.clips()
        }) {
      for (float x : column) {
        sum += 0 * x; // NaN for what is not finite
      }
    }
    for (float reward : t.rewards()) {
      sum += Float.isNaN(reward) ? 0 : 0 * reward;
    }
    return sum == 0;
  }

  /** Takes gradient steps, if enough was settled; returns how many were tried. */
  public int train(int count) {
    if (replay.size() < config.learning().learningStarts()) {
      return 0;
    }
    for (int i = 0; i < count; i++) {
      List<Transition> batch = replay.sample(config.learning().batchSize(), random);
      double loss;
      try {
        loss = learner.step(losses.of(batch, learner.weights(), target));
      } catch (ArithmeticException e) {
        skipped++; // the weights are as they were: the next batch may be better
        continue;
      }
      steps++;
      meanLoss += (loss - meanLoss) * Math.max(0.01, 1.0 / steps);
      if (steps % config.bootstrap().targetNetworkFrequency() == 0) {
        target = target.towards(learner.weights(), config.bootstrap().tau());
      }
    }
    return count;
  }

  /**
   * Starts an episode: its first decision does not follow the last of the one before, and nothing
   * of that one is waited for any more.
   *
   * @param episodeRandom all randomness of the episode, so that a resumed run repeats it
   */
  public void episodeBegins(RandomGenerator episodeRandom) {
    random = episodeRandom;
    previous = null;
    windowBegan = Double.NEGATIVE_INFINITY;
    pending.clear();
    pendingBytes = 0;
  }

  /**
   * Writes all that {@link #resume} needs besides weights and moments. Call between episodes: what
   * waits for its reward is not written.
   */
  public void save(DataOutput out) throws IOException {
    for (long count : new long[] {settled, unmeasured, dropped, steps, everHeldOut, window}) {
      out.writeLong(count);
    }
    out.writeDouble(meanLoss);
    out.writeDouble(meanReward);
    for (NetworkSpec.Parameter p : target.spec().parameters()) {
      Floats.write(out, target.get(p.name()));
    }
    out.writeInt(heldOut.size());
    for (HeldOut h : heldOut) {
      h.write(out);
    }
    replay.write(out);
  }

  /** Takes up what {@link #save} wrote; the learner must have the same settings. */
  public void resume(DataInput in) throws IOException {
    settled = in.readLong();
    unmeasured = in.readLong();
    dropped = in.readLong();
    steps = in.readLong();
    everHeldOut = in.readLong();
    window = in.readLong();
    meanLoss = in.readDouble();
    meanReward = in.readDouble();
    Map<String, float[]> values = new LinkedHashMap<>();
    for (NetworkSpec.Parameter p : target.spec().parameters()) {
      values.put(p.name(), Floats.read(in, p.size()));
    }
    target = new Weights(target.spec(), values);
    heldOut.clear();
    for (int n = in.readInt(); n > 0; n--) {
      heldOut.addLast(HeldOut.read(in));
    }
    replay = ReplayBuffer.read(config.replay().bufferSize(), in);
  }

  public AgentConfig config() {
    return config;
  }

  public Weights weights() {
    return learner.weights();
  }

  public Adam.Moments moments() {
    return learner.adam().moments();
  }

  /** Settled decisions that nothing was learned of, oldest first. */
  public List<HeldOut> heldOut() {
    return List.copyOf(heldOut);
  }

  /** How many were kept from training so far, those forgotten included. */
  public long everHeldOut() {
    return everHeldOut;
  }

  /** Forgets what was held out: weights that it spoke for, and wrongly, need new evidence. */
  public void forgetHeldOut() {
    heldOut.clear();
  }

  /** What it has done so far. */
  public Progress progress() {
    return new Progress(
        settled,
        unmeasured,
        dropped,
        skipped,
        pending.size(),
        replay.size(),
        steps,
        meanLoss,
        meanReward);
  }

  /**
   * Progress of a learner.
   *
   * @param settled decisions whose reward was measured
   * @param unmeasured decisions given up because nothing showed what they were worth
   * @param dropped decisions dropped because too many were waiting
   * @param skipped transitions and batches left out because a number in them was not finite
   * @param waiting decisions that wait for their reward
   * @param remembered transitions in the replay buffer
   * @param steps gradient steps
   * @param loss running mean of the loss
   * @param reward running mean of the chosen candidates' reward, against the candidates' mean
   */
  public record Progress(
      long settled,
      long unmeasured,
      long dropped,
      long skipped,
      int waiting,
      int remembered,
      long steps,
      double loss,
      double reward) {

    /** Before the first decision. */
    public static final Progress NOTHING = new Progress(0, 0, 0, 0, 0, 0, 0, 0, 0);
  }
}
