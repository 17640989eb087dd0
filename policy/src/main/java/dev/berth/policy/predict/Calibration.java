package dev.berth.policy.predict;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds the base's forecasts against what samples show later. Once a minute it keeps the forecast
 * of one decision; 5, 15, 30 and 50 minutes on it compares that with the last minute's samples of
 * every candidate, less what later binds brought. Each forecast states a spread, learned from the
 * errors known when it is made ({@link LearnedSpread}); if that is right, four outcomes in five lie
 * inside the 80 % interval.
 *
 * <p>Outcomes are forgotten with a half-life, so that the figures speak of the present. What later
 * binds brought is known by their owners' ratios only; where pods live for less than the horizon,
 * the figures tell of that error, too, and the true one is smaller.
 *
 * <p>Thread rule: reads the cluster state, so its owner's lock must be held around every method.
 */
public final class Calibration {
  private static final double EVERY = 60;

  /** A sample tells of the minute before it is seen: wait that much longer. */
  private static final double LAG = 45;

  private static final double WINDOW = 60;

  /** A check that comes so late, after a pause, would speak of another horizon. */
  private static final double TOO_LATE = 120;

  /** A request must not wait for this: of a larger cluster every so-many-th node is looked at. */
  private static final int MAX_NODES = 200;

  private final double halfLife;
  private final double from;
  private final double[] horizons = horizons();
  private final List<LearnedSpread> spreads = new ArrayList<>();
  private final List<Deque<Kept>> waiting = new ArrayList<>();
  private final List<ForecastErrors> errors = new ArrayList<>();
  private final double[] comparedAt = new double[horizons.length];
  private double keptAt = Double.NEGATIVE_INFINITY;

  private record Kept(
      double at,
      long binds,
      String[] names,
      long[] cpuMilli,
      double[][] expected,
      double[][] spread) {}

  /**
   * @param prior standard deviation that a forecast states before anything is known, as a fraction
   *     of the node
   * @param halfLife seconds after which an outcome counts half; infinite for a run as a whole
   * @param from outcomes of forecasts made before this second teach the spread and do not count
   */
  public Calibration(double prior, double halfLife, double from) {
    this.halfLife = halfLife;
    this.from = from;
    for (int h = 0; h < horizons.length; h++) {
      waiting.add(new ArrayDeque<>());
      errors.add(new ForecastErrors());
      spreads.add(new LearnedSpread(prior));
    }
  }

  /** One whose every outcome counts. */
  public Calibration(double prior, double halfLife) {
    this(prior, halfLife, Double.NEGATIVE_INFINITY);
  }

  /**
   * Standard deviations that a forecast made now states, fractions of a node, {@code
   * [horizons][candidates]}.
   *
   * @param expected the forecast, fractions of a node, {@code [horizons][candidates]}
   */
  public double[][] spreads(double[][] expected) {
    double[][] stated = new double[horizons.length][];
    for (int h = 0; h < stated.length; h++) {
      stated[h] = Arrays.stream(expected[h]).map(spreads.get(h)::spread).toArray();
    }
    return stated;
  }

  /** Seconds ahead that are checked. */
  public static double[] horizons() {
    return Arrays.copyOfRange(PredictThenGreedy.HORIZONS, 1, PredictThenGreedy.HORIZONS.length);
  }

  /** Keeps what the base forecasts for this decision's candidates, if a minute has passed. */
  public void decided(Decision d) {
    decided(d, null);
  }

  /**
   * The same where the base's forecast for this decision has been made already.
   *
   * @param forecast null where it was not
   */
  public void decided(Decision d, @Nullable Forecast forecast) {
    if (d.now() < keptAt + EVERY) {
      return;
    }
    keptAt = d.now();
    int step = (d.candidates().size() + MAX_NODES - 1) / MAX_NODES;
    Candidates c = step > 1 ? d.candidates().every(step) : d.candidates();
    double[][] before =
        forecast == null
            ? PredictThenGreedy.best()
                .forecast(new Decision(d.now(), d.pod(), c, d.state()))
                .before()
            : every(step, forecast.before());
    double[][] ahead = Arrays.copyOfRange(before, 1, before.length);
    Kept kept =
        new Kept(d.now(), d.state().binds(), c.names(), c.cpuMilli(), ahead, spreads(ahead));
    waiting.forEach(queue -> queue.addLast(kept));
  }

  private static double[][] every(int step, double[][] rows) {
    if (step <= 1) {
      return rows;
    }
    double[][] some = new double[rows.length][(rows[0].length + step - 1) / step];
    for (int h = 0; h < rows.length; h++) {
      for (int i = 0; i < some[h].length; i++) {
        some[h][i] = rows[h][i * step];
      }
    }
    return some;
  }

  /** Compares what is due; call after samples came in, at least once a minute. */
  public void check(double now, ClusterState state) {
    for (int h = 0; h < horizons.length; h++) {
      Deque<Kept> queue = waiting.get(h);
      while (!queue.isEmpty() && queue.getFirst().at() + horizons[h] + LAG <= now) {
        Kept kept = queue.removeFirst();
        if (now <= kept.at() + horizons[h] + LAG + TOO_LATE) {
          compare(kept, h, now, state);
        }
      }
    }
  }

  private void compare(Kept kept, int h, double now, ClusterState state) {
    errors.get(h).fade(Math.pow(0.5, (now - comparedAt[h]) / halfLife));
    comparedAt[h] = now;
    for (int i = 0; i < kept.names().length; i++) {
      String name = kept.names()[i];
      NodeSample last = state.fresh(name, now);
      double cores = kept.cpuMilli()[i] / 1000.0;
      if (last != null && !UsageFilter.saturated(last.cpuCores(), cores)) {
        double used = state.measuredCpuWithout(name, kept.binds(), now, WINDOW);
        double expected = kept.expected()[h][i];
        double error = used / cores - expected;
        spreads.get(h).add(error, expected, now);
        if (kept.at() >= from) {
          errors.get(h).add(error, kept.spread()[h][i]);
        }
      }
    }
  }

  /** What is known so far, by {@link #horizons}; live, not copies. */
  public List<ForecastErrors> errors() {
    return Collections.unmodifiableList(errors);
  }
}
