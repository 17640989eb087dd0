package dev.berth.service.recording;

import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.service.scoring.OutcomeEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Replays a recording once and holds its forecasts against the truth: at every decision, and at
 * every instant that the truth is known of.
 *
 * <p>Thread rule: one thread.
 */
final class ReplayRun {
  static final int PHASES = 6;

  /** Upper ends in seconds of the stretches since the last bind. */
  static final double[] SINCE_BIND = {5, 15, 60, 300, Double.POSITIVE_INFINITY};

  private static final double[] HORIZONS = PredictThenGreedy.HORIZONS;
  private static final int MAX_INSTANTS = 2_000;

  /**
   * One decision.
   *
   * @param second since the first decision
   * @param node that the pod was reserved on, null when nobody said
   * @param expected of that node, fraction of it, {@code [horizons]}; NaN without a node
   * @param truth of that node, likewise; NaN where nobody knows
   * @param rmse over nodes of deviations from their mean, fractions of a node, {@code [horizons]}
   */
  record DecisionErrors(
      double second,
      String pod,
      String owner,
      @Nullable String node,
      double[] expected,
      double[] truth,
      double[] rmse) {}

  final NowErrors[] byPhase = filled(PHASES);
  final NowErrors[] bySinceBind = filled(SINCE_BIND.length);
  final NowErrors all = new NowErrors();
  final List<DecisionErrors> decisions = new ArrayList<>();
  final Map<Double, NowErrors> byHorizon = new TreeMap<>();

  /** Seconds of a phase. */
  final double phaseSeconds;

  private final Recording recording;
  private final Replay replay;
  private final Truth truth;
  private final List<Double> instants;
  private final Map<String, String> nodeOf = new HashMap<>();
  private final double begin;
  private double boundAt = Double.NaN;
  private int asked;
  private int same;

  static ReplayRun of(Recording recording, Variant variant) {
    ReplayRun run = new ReplayRun(recording, variant);
    run.run();
    return run;
  }

  private ReplayRun(Recording original, Variant variant) {
    recording = variant.events().apply(original);
    replay = new Replay(recording.start(), variant.usage().apply(recording.start().usage()));
    truth = recording.truth();
    begin =
        recording.events().stream()
            .filter(e -> e.question() != null && !e.question().whatIf())
            .mapToDouble(Recording::at)
            .findFirst()
            .orElse(Double.POSITIVE_INFINITY);
    List<Double> known = truth.instants().stream().filter(t -> t >= begin).toList();
    int step = known.size() / MAX_INSTANTS + 1;
    instants = new ArrayList<>();
    for (int i = 0; i < known.size(); i += step) {
      instants.add(known.get(i));
    }
    double last = known.isEmpty() ? begin : known.get(known.size() - 1);
    phaseSeconds = (last - begin) / PHASES;
    for (double horizon : HORIZONS) {
      byHorizon.put(horizon, new NowErrors());
    }
    for (Entry e : recording.events()) {
      if (e.outcomes() != null) {
        e.outcomes().events().forEach(this::noteNode);
      }
    }
  }

  private void noteNode(OutcomeEvent event) {
    if (event.decision() != null && event.node() != null && event.type().places()) {
      nodeOf.put(event.decision(), event.node());
    }
  }

  private static NowErrors[] filled(int n) {
    NowErrors[] all = new NowErrors[n];
    Arrays.setAll(all, i -> new NowErrors());
    return all;
  }

  private void run() {
    int next = 0;
    for (Entry event : recording.events()) {
      while (next < instants.size() && instants.get(next) < Recording.at(event)) {
        look(instants.get(next++));
      }
      if (event.question() != null) {
        decided(event.question(), replay.feed(event));
      } else {
        replay.feed(event);
      }
      if (event.outcomes() != null
          && event.outcomes().events().stream().anyMatch(o -> o.type().places())) {
        boundAt = Recording.at(event);
      }
    }
    while (next < instants.size()) {
      look(instants.get(next++));
    }
  }

  private void look(double at) {
    double[][] pair = pair(replay.expectedNow(at), 0, at);
    if (pair == null) {
      return;
    }
    all.add(pair[0], pair[1]);
    byPhase[(int) Math.min(PHASES - 1, (at - begin) / phaseSeconds)].add(pair[0], pair[1]);
    for (int i = 0; !Double.isNaN(boundAt) && i < SINCE_BIND.length; i++) {
      if (at - boundAt < SINCE_BIND[i]) {
        bySinceBind[i].add(pair[0], pair[1]);
        break;
      }
    }
  }

  /** Expected and true use of every node, as fractions of it; null where the truth has gaps. */
  private double @Nullable [][] pair(Map<String, double[]> expected, int horizon, double at) {
    double[][] pair = new double[2][expected.size()];
    int i = 0;
    for (Map.Entry<String, double[]> e : expected.entrySet()) {
      double cores = replay.cores(e.getKey());
      pair[0][i] = e.getValue()[horizon] / cores;
      pair[1][i] = truth.cores(e.getKey(), at) / cores;
      if (Double.isNaN(pair[1][i++])) {
        return null;
      }
    }
    return i == 0 ? null : pair;
  }

  private void decided(Entry.Question q, double[] base) {
    if (q.base().length > 0) {
      asked++;
      same += Arrays.equals(base, q.base()) ? 1 : 0;
    }
    if (q.whatIf()) {
      return;
    }
    Map<String, double[]> expected = replay.expected(q.at(), HORIZONS);
    String node = nodeOf.get(q.request().decision());
    double[] of = new double[HORIZONS.length];
    double[] was = new double[HORIZONS.length];
    double[] rmse = new double[HORIZONS.length];
    for (int h = 0; h < HORIZONS.length; h++) {
      double cores = node == null ? Double.NaN : replay.cores(node);
      double[] ahead = node == null ? null : expected.get(node);
      of[h] = ahead == null ? Double.NaN : ahead[h] / cores;
      was[h] = node == null ? Double.NaN : truth.cores(node, q.at() + HORIZONS[h]) / cores;
      double[][] pair = pair(expected, h, q.at() + HORIZONS[h]);
      rmse[h] = Double.NaN;
      if (pair != null) {
        NowErrors one = new NowErrors();
        one.add(pair[0], pair[1]);
        rmse[h] = one.rmse();
        byHorizon.getOrDefault(HORIZONS[h], new NowErrors()).add(pair[0], pair[1]);
      }
    }
    decisions.add(
        new DecisionErrors(
            q.at() - begin,
            q.request().pod().namespace() + "/" + q.request().pod().name(),
            q.request().pod().owner(),
            node,
            of,
            was,
            rmse));
  }

  /** Decisions that were scored. */
  int asked() {
    return asked;
  }

  /** Of these, how many have the recorded base scores, bit for bit. */
  int same() {
    return same;
  }
}
