package dev.berth.service.prometheus;

import java.util.Map;
import java.util.TreeMap;
import org.slf4j.Logger;

/** One line when a fault begins, one when it ends, none between. Thread-safe. */
final class FaultLog {
  private final Logger log;
  private final Map<String, String> open = new TreeMap<>();
  private final Map<String, Integer> times = new TreeMap<>();

  FaultLog(Logger log) {
    this.log = log;
  }

  synchronized void failing(String what, String why) {
    times.merge(what, 1, Integer::sum);
    if (open.put(what, why) == null) {
      log.warn("{} is failing: {} (the next line on it is its recovery)", what, why);
    }
  }

  synchronized void fine(String what) {
    if (open.remove(what) != null) {
      log.info("{} works again after {} failures", what, times.remove(what));
    }
  }

  /** What is failing now, and why. */
  synchronized Map<String, String> open() {
    return Map.copyOf(open);
  }
}
