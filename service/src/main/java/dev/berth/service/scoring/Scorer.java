package dev.berth.service.scoring;

import dev.berth.policy.Decision;
import dev.berth.policy.PreferenceScale;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.MemoryLimit;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.state.SampleState;
import dev.berth.service.config.ScoringConfig;
import dev.berth.service.metrics.ServiceMetrics;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Answers score requests, from what {@link Intake} has heard.
 *
 * <p>Thread-safe: the lock of {@link SharedState} serialises the cluster state and the policy, as
 * both demand.
 */
public final class Scorer {
  /** Id of a decision by which no pod is placed. */
  public static final String WHAT_IF = "what-if";

  /** Nodes looked at under one hold of the lock: some 50 us. */
  private static final int NODES_AT_ONCE = 500;

  private final ScoringConfig config;
  private final SharedState shared;
  private final ClusterState state;
  private final ServiceMetrics metrics;
  private final String instance;
  private final ScorerSink sink;
  private final Tally tally;
  private final Schedulers schedulers = new Schedulers();
  private final ForecastCheck forecasts;
  private final Intake intake;
  private final Ranker ranker;
  private final GpuRanker gpuRanker;
  private volatile Serving serving;

  /**
   * @param sink told of every decision on the caller's thread, so it must not wait
   * @param background runs what no answer may wait for
   */
  public Scorer(
      ScoringConfig config,
      Serving serving,
      SharedState shared,
      NodeTable nodes,
      ServiceMetrics metrics,
      String instance,
      ScorerSink sink,
      Executor background) {
    this.config = config;
    this.serving = serving;
    this.shared = shared;
    this.state = shared.state();
    this.metrics = metrics;
    this.instance = instance;
    this.sink = sink;
    this.forecasts = new ForecastCheck(shared);
    this.intake = new Intake(shared, forecasts, metrics, sink);
    this.gpuRanker = new GpuRanker(ValueModel::shipped, nodes::gpuNodes, background);
    this.ranker = new Ranker(config.explore());
    this.tally = new Tally(serving.modelVersion());
  }

  public Tally tally() {
    return tally;
  }

  /** Who asks. */
  public Schedulers schedulers() {
    return schedulers;
  }

  /** What it answers from comes in here. */
  public Intake intake() {
    return intake;
  }

  /** How good the forecasts have been. */
  public ForecastCheck forecasts() {
    return forecasts;
  }

  public String instance() {
    return instance;
  }

  public ScoreReply score(ScoreRequest request) {
    intake.first(request.events());
    DecisionRecord decision = decide(request, true);
    ScoreReply reply = decision.reply();
    tally.count(reply.modelVersion(), reply.reason() != null);
    metrics.candidates.inc(reply.scores().length);
    if (reply.reason() != null) {
      metrics.neutral.inc();
    }
    sink.decided(decision);
    return reply;
  }

  /**
   * The scores a pod without GPUs would get on {@code candidates}. Nothing is recorded, counted,
   * explored or learned.
   */
  public ScoreReply whatIf(Pod pod, Candidates candidates) {
    return ifAsked(pod, candidates).reply();
  }

  /**
   * The decision that a pod without GPUs would get, with all that it rests on; as {@link #whatIf}.
   */
  public DecisionRecord ifAsked(Pod pod, Candidates candidates) {
    return decide(new ScoreRequest(WHAT_IF, "", Mode.SHADOW, pod, candidates), false);
  }

  /**
   * What pods such as this one would get on all nodes. No decision is recorded, counted, explored
   * or learned; a policy without a forecast, and pods that ask for cards, have no ranking: nothing
   * says by how much a node's preference falls with a pod.
   */
  public NodeRanking rank(ScoreRequest request) {
    intake.first(request.events());
    DecisionRecord decision = decide(request.whatIf(), false);
    int n = request.candidates().size();
    double[] base = decision.base();
    double[] residual = decision.residual();
    Forecast forecast = decision.forecast();
    if (decision.reply().reason() != null || base == null || forecast == null) {
      double[] nothing = new double[n];
      Arrays.fill(nothing, Double.NaN);
      return new NodeRanking(request.decision(), nothing, new double[n], instance);
    }
    int[] sound = request.candidates().sound();
    double[] preferences = new double[sound.length];
    for (int i = 0; i < sound.length; i++) {
      preferences[i] = base[sound[i]] + (residual == null ? 0 : residual[sound[i]]);
    }
    double[] drops = PredictThenGreedy.drops(forecast, request.pod().cpuMilli());
    MemoryLimit.keep(forecast.memoryRoom(), preferences, drops);
    return new NodeRanking(
        request.decision(), spread(preferences, sound, n), spread(drops, sound, n), instance);
  }

  /**
   * @param real whether a pod will be placed by the answer: then it may be explored with
   */
  private DecisionRecord decide(ScoreRequest request, boolean real) {
    Candidates all = request.candidates();
    int n = all.size();
    int[] sound = all.sound();
    Candidates candidates = sound.length == n ? all : all.only(sound);
    boolean cards = GpuRanker.concerns(request.pod(), candidates);
    Serving using = serving.of(request.pod().owner());
    Ranking ranking = Ranking.NONE;
    GpuRanker.@Nullable Answer gpu = null;
    double now = now();
    double[] ages = new double[candidates.size()];
    int @Nullable [] ownerPods = null;
    @Nullable String reason = null;
    if (cards) { // what is free on them comes with the request: reads nothing the lock guards
      Arrays.fill(ages, Double.NaN);
      gpu = gpuRanker.rank(new Decision(now, request.pod(), candidates, state));
      ranking = gpu.ranking();
    } else {
      shared.lockFirst();
      try {
        now = now();
        if (real) {
          state.deciding(candidates, now);
        }
        ages = state.sampleAges(candidates, now);
        reason = tooLittleKnown(candidates, now);
        if (reason == null) {
          Decision decision = new Decision(now, request.pod(), candidates, state);
          double clip = request.clipOrMore();
          ranking =
              real
                  ? ranker.rank(using, decision, clip)
                  : ranker.withoutExploring(using, decision, clip);
          if (real) {
            forecasts.decided(decision, ranking.forecast());
          }
        }
        if (real && request.pod().gpu().equals(GpuRequest.NONE)) {
          ownerPods = state.ownerPods(request.pod().owner(), candidates);
        }
        shared
            .journal()
            .decided(
                now,
                request,
                ranking::byBase,
                ranking.preferences(),
                ranking.draw(),
                using.modelVersion());
      } finally {
        shared.unlock();
      }
    }
    double[] preferences = spread(ranking.preferences(), sound, n);
    int[] scores = new int[n];
    if (reason == null) {
      int unknown = PreferenceScale.scale(preferences, scores);
      if (ranking.explored()) {
        PreferenceScale.prefer(sound[ranking.draw().first()], scores);
      }
      if (real && unknown > 0) {
        metrics.unknownPreferences.inc(unknown);
      }
    } else {
      Arrays.fill(scores, PreferenceScale.NEUTRAL);
    }
    long version = gpu == null ? using.modelVersion() : 0;
    ScoreReply reply =
        new ScoreReply(
            request.decision(),
            scores,
            gpu == null ? using.policy().name() : gpu.policy(),
            request.mode(),
            version,
            "m" + version + "-s" + intake.snapshot(),
            instance,
            ranking.draw().propensity() * tieShare(scores),
            ranking.explored(),
            gpu == null ? null : spread(gpu.cards(), sound, n),
            reason);
    LearnedPolicy.Explanation parts = ranking.explanation();
    double[] base = ranking.base();
    return new DecisionRecord(
        now,
        request,
        reply,
        base == null ? null : spread(base, sound, n),
        parts == null ? null : spread(parts.correction(), sound, n),
        spread(ages, sound, n),
        ownerPods,
        ranking.forecast(),
        parts == null
            ? null
            : new DecisionRecord.Learnable(
                parts.policy(),
                candidates,
                parts.state(),
                ranking.preferences(),
                ranking.draw().first(),
                using.arm()));
  }

  /** A column of the sound candidates as one of all; nothing is known of the others. */
  private static double[] spread(double[] column, int[] sound, int n) {
    if (column.length == n) {
      return column;
    }
    double[] all = new double[n];
    Arrays.fill(all, Double.NaN);
    for (int i = 0; i < column.length; i++) {
      all[sound[i]] = column[i];
    }
    return all;
  }

  private static int[][] spread(int[][] cards, int[] sound, int n) {
    if (cards.length == n) {
      return cards;
    }
    int[][] all = new int[n][0];
    for (int i = 0; i < cards.length; i++) {
      all[sound[i]] = cards[i];
    }
    return all;
  }

  /**
   * With no sample at all the bookkeeping alone still scores, for then all candidates are equally
   * unknown. Knowing only a few of them would favour or punish just those: better say nothing.
   */
  private @Nullable String tooLittleKnown(Candidates candidates, double now) {
    int usable = state.measured(candidates, now);
    if (usable == 0 || usable >= config.minKnown() * candidates.size()) {
      return null;
    }
    return "only "
        + usable
        + " of "
        + candidates.size()
        + " candidates have a sample younger than scoring.stale";
  }

  /** How many of some nodes are in each state, by the state's name in lower case. */
  public Map<String, Integer> sampleStates(Collection<String> nodes) {
    Map<String, Integer> counts = new TreeMap<>();
    for (SampleState each : SampleState.values()) {
      counts.put(each.name().toLowerCase(Locale.ROOT), 0);
    }
    Iterator<String> left = nodes.iterator();
    while (left.hasNext()) {
      shared.lock();
      try {
        double now = now();
        for (int i = 0; i < NODES_AT_ONCE && left.hasNext(); i++) {
          SampleState here = state.state(left.next(), now);
          counts.merge(here.name().toLowerCase(Locale.ROOT), 1, Integer::sum);
        }
      } finally {
        shared.unlock();
      }
    }
    return counts;
  }

  /** Samples that cannot be, and were not learned from. */
  public long refusedSamples() {
    return shared.read(ClusterState::refusedSamples);
  }

  public int runningPods() {
    return shared.read(ClusterState::knownPods);
  }

  /** The next request is answered by {@code next}. */
  public void serve(Serving next) {
    serving = next;
  }

  public Serving serving() {
    return serving;
  }

  /** kube-scheduler picks at random among the candidates with the best score. */
  private static double tieShare(int[] scores) {
    int best = -1;
    int ties = 0;
    for (int score : scores) {
      if (score > best) {
        best = score;
        ties = 1;
      } else if (score == best) {
        ties++;
      }
    }
    return ties == 0 ? 1 : 1.0 / ties;
  }

  /** Seconds since the epoch, as decisions are dated. */
  public double now() {
    return shared.now();
  }
}
