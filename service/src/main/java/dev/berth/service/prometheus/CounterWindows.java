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
 *
 * @param <K> whose counter it is: a node by its name, a pod as one source tells of it
 */
final class CounterWindows<K> {
  /** After a longer gap it begins anew, as {@code rate(x[5m])} would have no value. */
  static final double LONGEST_SECONDS = 300;

  /** A counter of seconds may pass the wall's by jitter of the two clocks, never by more. */
  private static final double JITTER = 1.1;

  /**
   * Beyond, somebody invents names: one that is new is not measured, one that is not read for
   * longer than {@link PodUsage#LONGEST_REST} makes room.
   */
  static final int MOST = 200_000;

  private static final double CROWDED_SECONDS = 150;

  private record Reading(double at, double seconds, long counters) {}

  private final Map<K, Reading> last = new HashMap<>();

  /**
   * One window.
   *
   * @param start seconds, of the scrape before
   * @param end seconds, of the newest scrape
   * @param cores CPU used, mean over the window
   */
  record Window(double start, double end, double cores) {}

  /**
   * Takes a reading. Null when it tells nothing: the first of all, no scrape since the last one, or
   * a counter that began again (the exporter restarted, a CPU left, a container came or went).
   *
   * @param counters that {@code seconds} is the sum of: one that comes back would be an increase
   * @param capacity cores of the node; NaN when nobody knows
   * @throws IllegalArgumentException when more was used than the node has
   */
  @Nullable Window next(K whose, double at, double seconds, long counters, double capacity) {
    Reading before = last.get(whose);
    if (before != null && at <= before.at()) {
      return null;
    }
    if (before == null && last.size() >= MOST) {
      return null;
    }
    last.put(whose, new Reading(at, seconds, counters));
    if (before == null
        || counters != before.counters()
        || seconds < before.seconds()
        || at - before.at() > LONGEST_SECONDS) {
      return null;
    }
    double cores = (seconds - before.seconds()) / (at - before.at());
    if (cores > JITTER * capacity) {
      throw new IllegalArgumentException(
          "%s used %.1f of %.1f cores from %.3f to %.3f"
              .formatted(whose, cores, capacity, before.at(), at));
    }
    return new Window(before.at(), at, cores);
  }

  /**
   * What was not read for so long that it would begin anew, or sooner where too many are; and what
   * lies ahead, since the clock was put back: until then all that comes would be old news.
   */
  void forget(double now) {
    double longest = last.size() < MOST ? LONGEST_SECONDS : CROWDED_SECONDS;
    double ahead = now + PrometheusPuller.CLOCKS_DIFFER_SECONDS;
    last.values().removeIf(reading -> reading.at() < now - longest || reading.at() > ahead);
  }
}
