package dev.berth.service.scoring;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.state.SampleState;
import dev.berth.service.config.ScoringConfig;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest sample of every node and how old it is. Thread-safe, so that metrics and explanations
 * need not wait for the cluster state's lock.
 *
 * <p>A node goes FRESH -> AGING -> STALE as its sample ages, and back to FRESH with the next one;
 * ABSENT is a node that never had a sample. STALE and ABSENT count as unknown, never as idle.
 */
public final class SampleTable {

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

  /** Forgets samples that ended before a point in time: of nodes that left, most likely. */
  void forget(double before) {
    samples.values().removeIf(sample -> sample.windowEnd() < before);
  }

  /** Seconds since the end of the sample's window, NaN without a sample. */
  double age(String node, double now) {
    NodeSample sample = samples.get(node);
    return sample == null ? Double.NaN : Math.max(0, now - sample.windowEnd());
  }

  SampleState state(double age) {
    if (Double.isNaN(age)) {
      return SampleState.ABSENT;
    }
    return age <= freshSeconds
        ? SampleState.FRESH
        : age <= staleSeconds ? SampleState.AGING : SampleState.STALE;
  }

  boolean usable(double age) {
    return age <= staleSeconds;
  }

  /** How many of {@code nodes} are in each state, by the state's name in lower case. */
  public Map<String, Integer> count(Iterable<String> nodes, double now) {
    Map<String, Integer> counts = new TreeMap<>();
    for (SampleState state : SampleState.values()) {
      counts.put(label(state), 0);
    }
    for (String node : nodes) {
      counts.merge(label(state(age(node, now))), 1, Integer::sum);
    }
    return counts;
  }

  private static String label(SampleState state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
