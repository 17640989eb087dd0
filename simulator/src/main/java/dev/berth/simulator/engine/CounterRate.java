package dev.berth.simulator.engine;

import java.util.Collection;

/**
 * {@code rate(counter[window])} as Prometheus computes it, extrapolation included: the increase
 * between the first and the last scrape inside the window is stretched to the window's bounds where
 * a scrape lies near them, by half a scrape interval where none does, and never to before the
 * counter was zero.
 *
 * <p>Source: {@code extrapolatedRate} in prometheus/promql/functions.go, v3 (windows open on the
 * left).
 */
final class CounterRate {
  /** A bound farther from the next scrape than this many mean intervals is not reached. */
  private static final double NEAR = 1.1;

  private CounterRate() {}

  /**
   * A counter at one scrape.
   *
   * @param at second
   * @param value seconds of CPU
   */
  record Point(double at, double value) {}

  /**
   * Increase per second over {@code (at - window, at]}; NaN with fewer than two scrapes in it.
   *
   * @param scrapes in order of time
   */
  static double perSecond(Collection<Point> scrapes, double at, double window) {
    Point first = null;
    Point last = null;
    double increase = 0;
    int intervals = 0;
    for (Point p : scrapes) {
      if (p.at() <= at - window || p.at() > at) {
        continue;
      }
      if (first == null || last == null) {
        first = p;
      } else {
        intervals++;
        // A counter that fell began again at zero.
        increase += p.value() < last.value() ? p.value() : p.value() - last.value();
      }
      last = p;
    }
    if (first == null || last == null || intervals == 0) {
      return Double.NaN;
    }
    double sampled = last.at() - first.at();
    double mean = sampled / intervals;
    double toStart = reach(first.at() - (at - window), mean);
    if (increase > 0) {
      toStart = Math.min(toStart, sampled * first.value() / increase);
    }
    double toEnd = reach(at - last.at(), mean);
    return increase * (sampled + toStart + toEnd) / sampled / window;
  }

  /** Seconds to extrapolate towards a bound of the window. */
  private static double reach(double distance, double meanInterval) {
    return distance >= NEAR * meanInterval ? meanInterval / 2 : distance;
  }
}
