package dev.berth.service.prometheus;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Means from scrape to scrape, of counters that are read now and then. Each second is measured
 * once: windows neither overlap nor leave a gap, and begin and end where Prometheus looked, which a
 * {@code rate()} over the last minute does not say.
 *
 * <p>Times are those of the scrapes, on Prometheus' clock. Thread rule: one thread.
 */
final class CounterWindows {
  /** After a longer gap it begins anew, as {@code rate(x[5m])} would have no value. */
  static final double LONGEST_SECONDS = 300;

  /** A counter of seconds may pass the wall's by jitter of the two clocks, never by more. */
  private static final double JITTER = 1.1;

  private record Reading(double at, double seconds) {}

  private final Map<String, Reading> last = new HashMap<>();

  /**
   * One window.
   *
   * @param start seconds, of the scrape before
   * @param end seconds, of the newest scrape
   * @param cores CPU used, mean over the window
   */
  record Window(double start, double end, double cores) {}

  /**
   * Takes a reading. Null when it tells nothing: the first of a node, no scrape since the last one,
   * or a counter that began again (the exporter restarted, a CPU left).
   *
   * @param capacity cores of the node; NaN when nobody knows
   * @throws IllegalArgumentException when more was used than the node has
   */
  @Nullable Window next(String node, double at, double seconds, double capacity) {
    Reading before = last.get(node);
    if (before != null && at <= before.at()) {
      return null;
    }
    last.put(node, new Reading(at, seconds));
    if (before == null || seconds < before.seconds() || at - before.at() > LONGEST_SECONDS) {
      return null;
    }
    double cores = (seconds - before.seconds()) / (at - before.at());
    if (cores > JITTER * capacity) {
      throw new IllegalArgumentException(
          "%s used %.1f of %.1f cores from %.3f to %.3f"
              .formatted(node, cores, capacity, before.at(), at));
    }
    return new Window(before.at(), at, cores);
  }

  /** Nodes that were not read for so long that they would begin anew. */
  void forget(double now) {
    last.values().removeIf(reading -> reading.at() < now - LONGEST_SECONDS);
  }
}
