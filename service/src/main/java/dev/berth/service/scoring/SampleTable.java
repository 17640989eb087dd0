package dev.berth.service.scoring;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.service.config.ScoringConfig;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest sample of every node and how old it is. Thread-safe.
 *
 * <p>A node goes FRESH -> AGING -> STALE as its sample ages, and back to FRESH with the next one;
 * ABSENT is a node that never had a sample. STALE and ABSENT count as unknown, never as idle.
 */
public final class SampleTable {

  /** What a node's sample is worth. */
  public enum State {
    FRESH,
    AGING,
    STALE,
    ABSENT;

    private final String label = name().toLowerCase(Locale.ROOT);

    boolean usable() {
      return this == FRESH || this == AGING;
    }
  }

  private final double freshSeconds;
  private final double staleSeconds;
  private final Map<String, NodeSample> samples = new ConcurrentHashMap<>();

  public SampleTable(ScoringConfig config) {
    freshSeconds = config.fresh().toMillis() / 1000.0;
    staleSeconds = config.stale().toMillis() / 1000.0;
  }

  /** Keeps a sample if it is newer than the one before; false if it is no news. */
  boolean put(NodeSample sample) {
    NodeSample old = samples.get(sample.node());
    if (old != null && sample.windowEnd() <= old.windowEnd()) {
      return false;
    }
    samples.put(sample.node(), sample);
    return true;
  }

  /** Seconds since the end of the sample's window, NaN without a sample. */
  double age(String node, double now) {
    NodeSample sample = samples.get(node);
    return sample == null ? Double.NaN : Math.max(0, now - sample.windowEnd());
  }

  State state(double age) {
    if (Double.isNaN(age)) {
      return State.ABSENT;
    }
    return age <= freshSeconds ? State.FRESH : age <= staleSeconds ? State.AGING : State.STALE;
  }

  /** How many of {@code nodes} are in each state, by the state's name in lower case. */
  public Map<String, Integer> count(Iterable<String> nodes, double now) {
    Map<String, Integer> counts = new TreeMap<>();
    for (State state : State.values()) {
      counts.put(state.label, 0);
    }
    for (String node : nodes) {
      counts.merge(state(age(node, now)).label, 1, Integer::sum);
    }
    return counts;
  }
}
