package dev.berth.service.recording;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.state.LearnedState;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.service.config.ServiceConfig;
import dev.berth.service.metrics.ServiceMetrics;
import dev.berth.service.scoring.Measured;
import dev.berth.service.scoring.NodeTable;
import dev.berth.service.scoring.OutcomeEvent;
import dev.berth.service.scoring.Scorer;
import dev.berth.service.scoring.ScorerSink;
import dev.berth.service.scoring.Serving;
import dev.berth.service.scoring.SharedState;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds a recording to the code that a service runs: the same outcomes and samples in the same
 * order on the recording's own clock, so that what is known of the cluster is, at every event, what
 * the service knew.
 *
 * <p>Thread rule: one thread.
 */
public final class Replay {
  private static final Logger log = LoggerFactory.getLogger(Replay.class);

  /** Seconds that the truth of one reading stands for. */
  private static final double INSTANT = 1;

  private final TheirClock clock = new TheirClock();
  private final SharedState shared;
  private final Scorer scorer;
  private final PredictThenGreedy base = PredictThenGreedy.best();

  /** Of the nodes that decisions named: cores, and requests as the scheduler counts. */
  private final Map<String, long[]> nodes = new TreeMap<>();

  /**
   * @param usage how to estimate usage; the recording's own to do as the service did
   */
  public Replay(Entry.Start start, UsageConfig usage) {
    this(start, usage, measured -> {});
  }

  /**
   * @param measured told what nodes of placed pods used five minutes later, when they were looked
   *     at
   */
  Replay(Entry.Start start, UsageConfig usage, Consumer<Measured> measured) {
    clock.now = start.at();
    shared = new SharedState(new ClusterState(usage), clock.withZone(ZoneOffset.UTC));
    scorer =
        new Scorer(
            ServiceConfig.defaults().scoring(),
            new Serving(base, 0),
            shared,
            new NodeTable(),
            new ServiceMetrics(),
            "replay",
            ScorerSink.measurements(measured),
            Runnable::run);
    scorer.intake().restore(start.running());
    if (start.learned().length > 0) {
      restore(start);
    }
  }

  /** What the service could not use either, it did without. */
  private void restore(Entry.Start start) {
    try {
      LearnedState learned = LearnedState.decode(start.learned());
      shared.with(state -> learned.into(state, start.at()));
    } catch (IllegalArgumentException e) {
      log.info("what was learned before is left out: {}", e.getMessage());
    }
  }

  /**
   * Feeds the next event.
   *
   * @return the base score's preferences of a question's sound candidates; empty for anything else,
   *     and where the service knew too little
   */
  public double[] feed(Entry event) {
    clock.now = Recording.at(event);
    if (event.sized() != null) {
      scorer.intake().sized(event.sized().cores());
    } else if (event.podSamples() != null) {
      scorer.intake().observe(event.podSamples().samples());
    } else if (event.samples() != null) {
      scorer.intake().observe(event.samples().samples(), 0);
    } else if (event.outcomes() != null) {
      for (OutcomeEvent one : event.outcomes().events()) {
        count(one);
        scorer.intake().apply(List.of(one));
      }
    } else if (event.question() != null) {
      return ask(event.question());
    }
    return new double[0];
  }

  private double[] ask(Entry.Question question) {
    Candidates all = question.request().candidates();
    Candidates candidates = sound(question);
    if (!question.whatIf()) {
      shared.with(state -> state.deciding(candidates, question.at()));
      for (int i = 0; i < all.size(); i++) {
        nodes.put(all.names()[i], new long[] {all.cpuMilli()[i], all.cpuRequestedMilli()[i]});
      }
    }
    return question.base().length == 0 ? new double[0] : rank(question, base);
  }

  /**
   * How another policy ranks the sound candidates of a question, in the state that it was asked in:
   * to be called after it was fed, before what came next is.
   */
  public double[] rank(Entry.Question question, Policy policy) {
    Candidates candidates = sound(question);
    double[] preferences = new double[candidates.size()];
    shared.with(
        state ->
            policy.score(
                new Decision(question.at(), question.request().pod(), candidates, state),
                preferences));
    return preferences;
  }

  /** What the base reckons with at a question; to be called when {@link #rank} may be. */
  Forecast forecast(Entry.Question question) {
    return shared.read(
        state ->
            base.forecast(
                new Decision(question.at(), question.request().pod(), sound(question), state)));
  }

  /** The candidates of which something could be said. */
  static Candidates sound(Entry.Question question) {
    Candidates all = question.request().candidates();
    int[] sound = all.sound();
    return sound.length == all.size() ? all : all.only(sound);
  }

  /** A question tells what is requested; until the next one, outcomes do. */
  private void count(OutcomeEvent event) {
    String name = event.node();
    if (name == null) {
      return;
    }
    long[] node = nodes.get(name);
    boolean placed =
        event.type() == OutcomeEvent.Type.RESERVED || event.type() == OutcomeEvent.Type.BOUND;
    // A bind stands for its reservation where it came in the same batch.
    if (node != null
        && event.pod() != null
        && placed
        && !shared.read(state -> name.equals(state.nodeOf(event.uid())))) {
      node[1] += event.pod().cpuMilli();
    }
  }

  /**
   * CPU that every node that a decision has named is expected to use just now, cores by name: young
   * pods count by what they use already.
   *
   * @param at not before the last event
   */
  public Map<String, double[]> expectedNow(double at) {
    Map<String, double[]> byName = new TreeMap<>();
    for (String node : nodes.keySet()) {
      double cores = shared.read(state -> state.expectedCpu(node, at, INSTANT));
      byName.put(node, new double[] {cores});
    }
    return byName;
  }

  /**
   * CPU expected on every node that a decision has named, cores, {@code [horizons]} by name, as a
   * decision counts it: pods that were just bound in full, for until its own pod has started, they
   * have, too.
   *
   * @param at not before the last event
   * @param horizons seconds after {@code at}
   */
  public Map<String, double[]> expected(double at, double[] horizons) {
    int n = nodes.size();
    String[] names = nodes.keySet().toArray(new String[0]);
    long[] cpu = nodes.values().stream().mapToLong(node -> node[0]).toArray();
    long[] requested = nodes.values().stream().mapToLong(node -> node[1]).toArray();
    String[] nowhere = new String[n];
    Arrays.fill(nowhere, "");
    Candidates candidates =
        new Candidates(
            names,
            cpu,
            new long[n],
            new int[n],
            requested,
            new long[n],
            new int[n],
            new long[n],
            new long[n],
            new int[n],
            nowhere,
            nowhere,
            null);
    double[][] cores = shared.read(state -> state.expectedCpu(candidates, at, horizons));
    Map<String, double[]> byName = new TreeMap<>();
    for (int i = 0; i < n; i++) {
      double[] ahead = new double[horizons.length];
      for (int h = 0; h < ahead.length; h++) {
        ahead[h] = cores[h][i];
      }
      byName.put(names[i], ahead);
    }
    return byName;
  }

  /** Cores of a node that a decision has named. */
  public double cores(String node) {
    long[] known = nodes.get(node);
    return known == null ? Double.NaN : known[0] / 1000.0;
  }

  /** The recording's. */
  private static final class TheirClock implements InstantSource {
    private double now;

    @Override
    public Instant instant() {
      double second = Math.floor(now);
      return Instant.ofEpochSecond((long) second, Math.round((now - second) * 1e9));
    }
  }
}
