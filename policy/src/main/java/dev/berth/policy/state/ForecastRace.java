package dev.berth.policy.state;

import dev.berth.policy.cluster.NodeSample;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/**
 * Which of several estimates of one cluster forecasts it best: once a minute each says what the
 * nodes will use ten minutes on, and the squares of what it gets wrong are added up, fading. The
 * first speaks until another is clearly ahead. Choosing by errors of forecasts that were made
 * before their outcomes is prequential (Dawid, "Statistical theory: the prequential approach",
 * 1984): whoever leads has led on days it had not seen.
 *
 * <p>Thread rule: as {@link ClusterState}.
 */
final class ForecastRace {
  private static final double AHEAD = 600;
  private static final double EVERY = 60;

  /** A sample tells of the minute before it is seen. */
  private static final double LAG = 45;

  private static final double WINDOW = 60;
  private static final double TOO_LATE = 120;

  /** Seconds in which an error loses half its weight. */
  private static final double HALF_LIFE = 6 * 3600;

  /** Outcomes, half an hour of ten nodes, before which nobody overtakes. */
  private static final double MIN_OUTCOMES = 300;

  /** Share of the leader's squares that an overtaker must not exceed: ties do not flicker. */
  private static final double CLEARLY = 0.97;

  private static final int MAX_NODES = 200;

  /** A sample this near to capacity hides the demand above it, and is left out. */
  private static final double SATURATED = 0.97;

  private final double[] squares;
  private final Deque<Kept> waiting = new ArrayDeque<>();
  private double outcomes;
  private double comparedAt;
  private int leader;

  /** What each racer expected of each node, cores, {@code [racers][nodes]}. */
  private record Kept(double at, long binds, List<String> nodes, double[][] expected) {}

  ForecastRace(int racers) {
    this.squares = new double[racers];
  }

  /** Index of who speaks. */
  int leader() {
    return leader;
  }

  /**
   * Compares what is due with the samples, and keeps what each expects if a minute has passed; call
   * when a sample has come in.
   *
   * @param racers the estimates, the first asked for what samples showed
   */
  void sampled(List<ClusterState> racers, double now) {
    ClusterState first = racers.get(0);
    while (!waiting.isEmpty() && waiting.getFirst().at() + AHEAD + LAG <= now) {
      Kept kept = waiting.removeFirst();
      if (now <= kept.at() + AHEAD + LAG + TOO_LATE) {
        compare(kept, first, now);
      }
    }
    if (waiting.isEmpty() || now >= waiting.getLast().at() + EVERY) {
      List<String> names =
          first.nodes().stream()
              .filter(n -> !Double.isNaN(n.capacity))
              .limit(MAX_NODES)
              .map(n -> n.name)
              .toList();
      double[][] expected = new double[squares.length][];
      Arrays.setAll(
          expected,
          r -> names.stream().mapToDouble(n -> racers.get(r).ahead(n, now, AHEAD)).toArray());
      waiting.addLast(new Kept(now, first.binds(), names, expected));
    }
  }

  private void compare(Kept kept, ClusterState state, double now) {
    double fade = Math.pow(0.5, (now - comparedAt) / HALF_LIFE);
    comparedAt = now;
    outcomes *= fade;
    Arrays.setAll(squares, r -> fade * squares[r]);
    for (int i = 0; i < kept.nodes().size(); i++) {
      String name = kept.nodes().get(i);
      double cores = state.cpuCapacity(name);
      NodeSample last = state.fresh(name, now);
      if (last == null || Double.isNaN(cores) || last.cpuCores() >= SATURATED * cores) {
        continue;
      }
      double used = state.measuredCpuWithout(name, kept.binds(), now, WINDOW);
      outcomes++;
      for (int r = 0; r < squares.length; r++) {
        double error = (used - kept.expected()[r][i]) / cores;
        squares[r] += error * error;
      }
    }
    for (int r = 0; r < squares.length && outcomes >= MIN_OUTCOMES; r++) {
      if (squares[r] < CLEARLY * squares[leader]) {
        leader = r;
      }
    }
  }
}
