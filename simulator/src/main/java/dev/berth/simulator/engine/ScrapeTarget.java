package dev.berth.simulator.engine;

import dev.berth.simulator.engine.CounterRate.Point;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.usage.Contention;
import dev.berth.simulator.usage.Draws;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One node's exporter as Prometheus sees it: when it is scraped, and what the scrapes that
 * succeeded have brought.
 */
final class ScrapeTarget {
  private final MetricsSpec spec;
  private final double offset;
  private final long lossSeed;
  private final SplittableRandom restarts;
  private final Deque<Point> points = new ArrayDeque<>();
  private final PodCounters pods;

  private long scrapes;
  private double restartsAt;
  private double counterZero;
  private boolean up;
  private Gauges gauges = new Gauges(Double.NEGATIVE_INFINITY, 0, 0, 0);

  /** What has no rate, as of the newest scrape. */
  record Gauges(double at, double memoryBytes, double connections, double latencyMillis) {}

  ScrapeTarget(MetricsSpec spec, long seed, String node) {
    this.spec = spec;
    this.pods = new PodCounters(spec);
    double spread = Draws.uniform(Draws.hash(seed, "scrape/" + node)) * spec.scrapeSeconds();
    this.offset = Math.floor(spread / Simulation.TICK_SECONDS) * Simulation.TICK_SECONDS;
    this.lossSeed = Draws.hash(seed, "loss/" + node);
    this.restarts = Draws.stream(seed, "restart/" + node);
    this.restartsAt = spec.restartSeconds() * restarts.nextExponential();
  }

  /** The exporter lives through a tick: it may restart, and its counters begin again at zero. */
  void live(Node node, double t) {
    if (t >= restartsAt) {
      counterZero = node.cpuSeconds;
      restartsAt = t + spec.restartSeconds() * restarts.nextExponential();
    }
  }

  boolean due(double t) {
    return t >= offset + scrapes * spec.scrapeSeconds();
  }

  /** Counts a scrape that was due; whether it is not lost. */
  boolean answers(double t) {
    scrapes = (long) Math.floor((t - offset) / spec.scrapeSeconds()) + 1;
    return Draws.uniform(Draws.at(lossSeed, scrapes)) >= spec.loss();
  }

  void failed() {
    up = false;
  }

  Point read(Node node, double t) {
    up = true;
    Point now = new Point(t, node.cpuSeconds - counterZero);
    while (!points.isEmpty() && points.getFirst().at() <= t - spec.windowSeconds()) {
      points.removeFirst();
    }
    points.addLast(now);
    if (spec.pods()) {
      pods.read(node, t);
    }
    gauges =
        new Gauges(
            t,
            node.memoryUsedBytes(),
            node.connections(),
            Contention.latencyMillis(node.demandCores(), node.capacityCores()));
    return now;
  }

  /** Whether the last scrape that was due succeeded. */
  boolean up() {
    return up;
  }

  /** The newest scrape that succeeded; null before the first. */
  @Nullable Point newest() {
    return points.peekLast();
  }

  /** What the scrapes brought of pods. */
  PodCounters pods() {
    return pods;
  }

  Gauges gauges() {
    return gauges;
  }

  /** Cores, as a rate query answers at {@code t}; NaN where it has no answer. */
  double rate(double t) {
    return CounterRate.perSecond(points, t, spec.windowSeconds());
  }
}
