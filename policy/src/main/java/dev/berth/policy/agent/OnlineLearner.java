package dev.berth.policy.agent;

import dev.berth.policy.Decision;
import dev.berth.policy.bookkeeping.Bookkeeping;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.network.Floats;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.replay.ReplayBuffer;
import dev.berth.policy.replay.Transition;
import dev.berth.policy.reward.Measurement;
import dev.berth.policy.reward.Rewards;
import dev.berth.policy.tensor.Adam;
import dev.berth.policy.tensor.Learner;
import dev.berth.policy.tensor.Loss;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Learns from what became of placements. The simulator (virtual time) and the live service (real
 * time) drive this same class:
 *
 * <ol>
 *   <li>{@link #decided} remembers the rows of a decision;
 *   <li>{@link #advance} settles decisions that are old enough: the usage measured since, on the
 *       chosen node and on every other candidate, less what later binds brought, says what each
 *       candidate would have earned, as a difference to their mean;
 *   <li>{@link #train} takes gradient steps; {@link #weights} is what it has learned.
 * </ol>
 *
 * One tenth of the settled decisions is held out for {@link PromotionGate}.
 *
 * <p>Thread rule: one thread (the trainer); {@link #decided} and {@link #advance} read the books,
 * so their owner's lock must be held around these two.
 */
public final class OnlineLearner {
  private static final int MOST_PENDING = 20_000;
  private static final int HELD_OUT = 1_000;
  private static final int EVERY_HELD_OUT = 10;
  private static final float MOST_REWARD = 20;

  private final AgentConfig config;
  private RandomGenerator random;
  private ReplayBuffer replay;
  private final Learner learner;
  private final Deque<Pending> pending = new ArrayDeque<>();
  private final Deque<Transition> heldOut = new ArrayDeque<>();
  private final LearnedPolicy reference;
  private Weights target;
  private SettledListener onSettled = (podUid, decidedAt, reward) -> {};
  private @Nullable Transition previous;
  private long settled;
  private long unmeasured;
  private long dropped;
  private long steps;
  private double meanLoss;
  private double meanReward;

  /**
   * @param adam optimiser of the weights, possibly resumed
   */
  public OnlineLearner(AgentConfig config, Weights initial, Adam adam, RandomGenerator random) {
    this.config = config;
    this.random = random;
    this.replay = new ReplayBuffer(config.bufferSize());
    this.learner = new Learner(initial, adam, config.maxGradNorm());
    this.target = initial;
    this.reference = new LearnedPolicy(config, initial);
  }

  /** A learner that starts from the given weights with a fresh optimiser. */
  public static OnlineLearner from(AgentConfig config, Weights initial, RandomGenerator random) {
    return new OnlineLearner(
        config, initial, new Adam(initial.spec(), config.learningRate()), random);
  }

  /** Told of every settled decision, on the learner's thread. */
  @FunctionalInterface
  public interface SettledListener {
    /**
     * @param decidedAt time of the decision
     * @param reward of the chosen candidate, as a difference to the candidates' mean; NaN where
     *     only others could be measured
     */
    void settled(String podUid, double decidedAt, double reward);
  }

  /** Sets who is told. */
  public void onSettled(SettledListener listener) {
    onSettled = listener;
  }

  /** A decision waiting for its reward. */
  private record Pending(
      String podUid,
      double at,
      long order,
      Rows before,
      Rows after,
      int[] picked,
      int chosen,
      float[] base,
      float[] expected,
      float[] clips,
      int stratum,
      String[] names,
      long[] cpuMilli,
      double[] load,
      double podCores,
      LatencyLimits limits,
      int[] podCount,
      double[] atOnce) {}

  /** Remembers a decision and the candidate that was taken. */
  public void decided(Decision d, int chosen) {
    if (d.candidates().size() < 2) {
      return; // with one feasible node there is nothing to learn
    }
    Pending p = pending(d, chosen);
    if (config.immediate()) {
      settle(p, measurement(p, config.credit().raw() ? withPod(p) : p.load()));
    } else {
      pending.addLast(p);
      if (pending.size() > MOST_PENDING) {
        pending.removeFirst();
        dropped++;
      }
    }
  }

  private static double[] withPod(Pending p) {
    double[] load = p.load().clone();
    load[p.chosen()] += 1000 * p.podCores() / p.cpuMilli()[p.chosen()];
    return load;
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
    Pending p = pending(d, chosen);
    double[] expected = Objective.rewards(p.load(), p.cpuMilli(), p.podCores());
    double scale = spread(expected) / spread(wanted);
    for (int i = 0; i < wanted.length; i++) {
      wanted[i] *= scale;
    }
    remember(p, take(wanted, p.picked()));
  }

  /** Forgets all experience but not what was learned from it: the end of a warm start. */
  public void forget() {
    replay = new ReplayBuffer(config.bufferSize());
    heldOut.clear();
    pending.clear();
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

  private Pending pending(Decision d, int chosen) {
    int n = d.candidates().size();
    Forecast forecast = reference.predictor().forecast(d);
    FeatureRows rows = config.rows(d, forecast);
    double[] load = config.objective().load(d, forecast);
    double podCores = config.objective().podCores(d, forecast);
    double[] base = new double[n];
    double[] expected = new double[n];
    if (config.residual()) {
      reference.base(d, forecast, base);
      Rewards.center(base);
      expected =
          Objective.rewards(expectedLoad(load, forecast), d.candidates().cpuMilli(), podCores);
    }
    double[] clips = ValueDifference.clips(d, load, podCores, config.clip());
    int[] picked = pick(n, chosen);
    return new Pending(
        d.pod().uid(),
        d.now(),
        d.books().binds(),
        rows.select(rows.before(), picked),
        rows.select(rows.after(), picked),
        picked,
        chosen,
        take(base, picked),
        take(expected, picked),
        take(clips, picked),
        ReplayBuffer.stratum(mean(load), podCores * 1000 / d.candidates().cpuMilli()[chosen]),
        d.candidates().names(),
        d.candidates().cpuMilli(),
        load,
        podCores,
        d.pod().latency(),
        d.candidates().podCount(),
        config.rewards().atOnce(d));
  }

  /**
   * What the base expects to be measured: its forecast for the middle of the measured window. A
   * residual learns what the forecast gets wrong, not that the base looks further ahead than the
   * window does.
   */
  private double[] expectedLoad(double[] now, Forecast f) {
    double middle = config.settleSeconds() + config.windowSeconds() / 2;
    if (config.objective() == Objective.REQUESTS || f.horizons().length < 2) {
      return now;
    }
    double share = Math.min(1, middle / f.horizons()[1]);
    double[] out = new double[now.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (1 - share) * f.before()[0][i] + share * f.before()[1][i];
    }
    return out;
  }

  /** Settles what is old enough; returns how many decisions. */
  public int advance(double now, Bookkeeping books) {
    return advance(now, books, Integer.MAX_VALUE);
  }

  /** Settles at most {@code most} decisions, so that the books are not held for long. */
  public int advance(double now, Bookkeeping books, int most) {
    int count = 0;
    int looked = 0;
    double age = config.settleSeconds() + config.windowSeconds();
    while (looked++ < most && !pending.isEmpty() && pending.getFirst().at() + age <= now) {
      Pending p = pending.removeFirst();
      count += settle(p, measurement(p, now, books)) ? 1 : 0;
    }
    return count;
  }

  private Measurement measurement(Pending p, double now, Bookkeeping books) {
    int n = p.names().length;
    double[] load = new double[n];
    for (int i = 0; i < n; i++) {
      double since = config.credit().raw() ? Double.POSITIVE_INFINITY : p.at();
      double cores =
          books.measuredCpuWithout(p.names()[i], since, p.order(), now, config.windowSeconds());
      load[i] = 1000 * cores / p.cpuMilli()[i];
    }
    Measurement m = measurement(p, config.objective() == Objective.REQUESTS ? p.load() : load);
    return config.rewards().readsSamples() ? m.with(samples(p, now, books)) : m;
  }

  /** What was measured of the load alone. */
  private static Measurement measurement(Pending p, double[] load) {
    return Measurement.of(p.limits(), p.cpuMilli(), p.podCount(), load, p.load(), p.podCores());
  }

  private static Measurement.Samples samples(Pending p, double now, Bookkeeping books) {
    int n = p.names().length;
    Measurement.Samples s = Measurement.Samples.none(n);
    double sum = 0;
    double pods = 0;
    for (int i = 0; i < n; i++) {
      NodeSample sample = books.fresh(p.names()[i], now);
      if (sample != null) {
        s.connections()[i] = sample.connections();
        s.latencyMillis()[i] = sample.latencyMillis();
        s.latencyLoad()[i] = 1000 * sample.cpuCores() / p.cpuMilli()[i];
      }
      if (!Double.isNaN(s.connections()[i])) {
        sum += s.connections()[i];
        pods += books.bindsFrom(p.names()[i], Double.NEGATIVE_INFINITY, 0);
      }
    }
    double perPod = pods > 0 ? sum / pods : 0;
    for (int i = 0; i < n; i++) {
      double later = perPod * books.bindsFrom(p.names()[i], p.at(), p.order());
      s.connections()[i] = Math.max(0, s.connections()[i] - later); // max keeps a NaN
    }
    return s.withPod(perPod);
  }

  /** Whether anything was measured. */
  private boolean settle(Pending p, Measurement m) {
    double[] rewards =
        config.credit() == Credit.DIFFERENCE
            ? config.rewards().of(p.atOnce(), m)
            : config.credit().rewards(m, p.chosen());
    float[] picked = take(rewards, p.picked());
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
    onSettled.settled(p.podUid(), p.at(), picked[0]);
    return true;
  }

  private void remember(Pending p, float[] rewards) {
    Transition t =
        new Transition(
            p.before(), p.after(), p.base(), p.expected(), rewards, p.clips(), 0, p.stratum());
    settled++;
    float reward = Float.isNaN(rewards[0]) ? 0 : rewards[0];
    meanReward += (reward - meanReward) * Math.max(0.01, 1.0 / settled);
    if (settled % EVERY_HELD_OUT == 0) {
      heldOut.addLast(t);
      if (heldOut.size() > HELD_OUT) {
        heldOut.removeFirst();
      }
      return;
    }
    if (previous != null) {
      previous.followedBy(t);
    }
    previous = t;
    replay.add(t);
  }

  /** Takes gradient steps, if enough was settled; returns how many were taken. */
  public int train(int count) {
    if (replay.size() < config.learningStarts()) {
      return 0;
    }
    for (int i = 0; i < count; i++) {
      List<Transition> batch = replay.sample(config.batchSize(), random);
      double loss =
          learner.step(config.kind().actorCritic() ? policyLoss(batch) : valueLoss(batch));
      steps++;
      meanLoss += (loss - meanLoss) * Math.max(0.01, 1.0 / steps);
      if (steps % config.targetNetworkFrequency() == 0) {
        target = target.towards(learner.weights(), config.tau());
      }
    }
    return count;
  }

  /** Q towards reward - expected (a residual) or reward (alone), of every measured candidate. */
  private Loss valueLoss(List<Transition> batch) {
    Rows after = stack(batch, false);
    Rows before = stack(batch, true);
    float[] targets = new float[after.size()];
    float[] weights = new float[after.size()];
    float[] now = qOf(learner.weights(), after, before);
    int width = after.width();
    for (int b = 0; b < batch.size(); b++) {
      Transition t = batch.get(b);
      double worst = 0;
      for (int i = 0; i < width; i++) {
        int row = b * width + i;
        float reward = t.rewards()[i];
        if (Float.isNaN(reward)) {
          continue;
        }
        double want = ValueDifference.SCALE * (reward - t.expected()[i]);
        if (config.gamma() > 0 && i == t.chosen()) {
          want += ahead(t);
        }
        targets[row] = (float) Math.max(-MOST_REWARD, Math.min(MOST_REWARD, want));
        weights[row] = config.gamma() > 0 && i != t.chosen() ? 0 : 1;
        worst = Math.max(worst, Math.abs(now[row] - targets[row]));
      }
      t.prioritise((float) worst);
    }
    if (config.kind().plain()) {
      return new Loss.Regression(after, new int[after.size()], targets, weights, true);
    }
    return new Loss.Difference(after, before, targets, weights);
  }

  /** The discounted rewards of the next n - 1 decisions, then the target network's estimate. */
  private double ahead(Transition from) {
    double sum = 0;
    double discount = config.gamma();
    Transition t = from.next();
    for (int k = 1; t != null && k < config.nStep(); k++, discount *= config.gamma()) {
      float reward = t.rewards()[t.chosen()];
      sum +=
          Float.isNaN(reward)
              ? 0
              : discount * ValueDifference.SCALE * (reward - t.expected()[t.chosen()]);
      t = t.next();
    }
    return t == null ? sum : sum + discount * bestNext(t);
  }

  /** Double DQN: the online network chooses, the target network values. In network units. */
  private double bestNext(Transition next) {
    float[] online = qOf(learner.weights(), next.after(), next.before());
    int best = -1;
    for (int i = 0; i < online.length; i++) {
      if (next.after().valid()[i] && (best < 0 || online[i] > online[best])) {
        best = i;
      }
    }
    return best < 0 ? 0 : qOf(target, next.after(), next.before())[best];
  }

  private Loss policyLoss(List<Transition> batch) {
    Rows after = stack(batch, false);
    Rows before = stack(batch, true);
    float[] advantages = new float[after.size()];
    int width = after.width();
    for (int b = 0; b < batch.size(); b++) {
      Transition t = batch.get(b);
      for (int i = 0; i < width; i++) {
        float reward = t.rewards()[i];
        // The rewards are differences to the candidates' mean: the baseline is already taken off.
        advantages[b * width + i] =
            Float.isNaN(reward)
                ? 0
                : (float)
                    Math.max(
                        -MOST_REWARD,
                        Math.min(MOST_REWARD, ValueDifference.SCALE * (reward - t.expected()[i])));
      }
    }
    return new Loss.CandidatePolicy(
        after, before, advantages, (float) config.temperature(), (float) config.entCoef());
  }

  private float[] qOf(Weights w, Rows after, Rows before) {
    return ValueDifference.of(config.kind(), w, after, before);
  }

  private static Rows stack(List<Transition> batch, boolean before) {
    Rows first = batch.get(0).before();
    int width = first.width();
    int inputs = first.features().length / width;
    int n = batch.size() * width;
    float[] features = new float[n * inputs];
    boolean[] valid = new boolean[n];
    int[][] groups = Rows.noGroups(n);
    for (int b = 0; b < batch.size(); b++) {
      Rows r = before ? batch.get(b).before() : batch.get(b).after();
      System.arraycopy(r.features(), 0, features, b * width * inputs, width * inputs);
      System.arraycopy(r.valid(), 0, valid, b * width, width);
      for (int g = 0; g < Rows.NAMED; g++) {
        System.arraycopy(r.groups()[g], 0, groups[g], b * width, width);
      }
    }
    return new Rows(batch.size(), width, features, valid, groups);
  }

  /** The chosen candidate first, then others at random; -1 pads. */
  private int[] pick(int n, int chosen) {
    int[] picked = new int[config.width()];
    Arrays.fill(picked, -1);
    picked[0] = chosen;
    if (n <= config.width()) {
      for (int i = 0, at = 1; i < n; i++) {
        if (i != chosen) {
          picked[at++] = i;
        }
      }
      return picked;
    }
    List<Integer> seen = new ArrayList<>(List.of(chosen));
    while (seen.size() < config.width()) {
      int candidate = random.nextInt(n);
      if (!seen.contains(candidate)) {
        picked[seen.size()] = candidate;
        seen.add(candidate);
      }
    }
    return picked;
  }

  private static float[] take(double[] values, int[] picked) {
    float[] out = new float[picked.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = picked[i] < 0 ? 0 : (float) values[picked[i]];
    }
    return out;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double v : values) {
      sum += v / values.length;
    }
    return sum;
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
    pending.clear();
  }

  /**
   * Writes all that {@link #resume} needs besides weights and moments. Call between episodes: what
   * waits for its reward is not written.
   */
  public void save(DataOutput out) throws IOException {
    for (long count : new long[] {settled, unmeasured, dropped, steps}) {
      out.writeLong(count);
    }
    out.writeDouble(meanLoss);
    out.writeDouble(meanReward);
    for (NetworkSpec.Parameter p : target.spec().parameters()) {
      Floats.write(out, target.get(p.name()));
    }
    out.writeInt(heldOut.size());
    for (Transition t : heldOut) {
      t.write(out);
    }
    replay.write(out);
  }

  /** Takes up what {@link #save} wrote; the learner must have the same settings. */
  public void resume(DataInput in) throws IOException {
    settled = in.readLong();
    unmeasured = in.readLong();
    dropped = in.readLong();
    steps = in.readLong();
    meanLoss = in.readDouble();
    meanReward = in.readDouble();
    Map<String, float[]> values = new LinkedHashMap<>();
    for (NetworkSpec.Parameter p : target.spec().parameters()) {
      values.put(p.name(), Floats.read(in, p.size()));
    }
    target = new Weights(target.spec(), values);
    heldOut.clear();
    for (int n = in.readInt(); n > 0; n--) {
      heldOut.addLast(Transition.read(in));
    }
    replay = ReplayBuffer.read(config.bufferSize(), in);
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

  /** Settled decisions kept from training, oldest first. */
  public List<Transition> heldOut() {
    return List.copyOf(heldOut);
  }

  /** What it has done so far. */
  public Progress progress() {
    return new Progress(
        settled, unmeasured, dropped, pending.size(), replay.size(), steps, meanLoss, meanReward);
  }

  /**
   * Progress of a learner.
   *
   * @param settled decisions whose reward was measured
   * @param unmeasured decisions given up because nothing showed what they were worth
   * @param dropped decisions dropped because too many were waiting
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
      int waiting,
      int remembered,
      long steps,
      double loss,
      double reward) {}
}
