package dev.berth.service.recording;

import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What the pods of each node really wanted, over time; between two readings it changes linearly.
 *
 * <p>Thread rule: written by one thread, then read by any.
 */
public final class Truth {
  /** Nobody knows what happened within a longer gap. */
  private static final double LONGEST_GAP = 30;

  private final Map<String, NavigableMap<Double, Double>> byNode = new HashMap<>();

  void add(Entry.Truth reading) {
    reading
        .cores()
        .forEach(
            (node, cores) ->
                byNode.computeIfAbsent(node, n -> new TreeMap<>()).put(reading.at(), cores));
  }

  public boolean isEmpty() {
    return byNode.isEmpty();
  }

  public Set<String> nodes() {
    return byNode.keySet();
  }

  /** Instants at which any node was read. */
  public Set<Double> instants() {
    Set<Double> all = new TreeSet<>();
    byNode.values().forEach(readings -> all.addAll(readings.keySet()));
    return all;
  }

  /** Cores at an instant, NaN where nobody knows. */
  public double cores(String node, double at) {
    NavigableMap<Double, Double> readings = byNode.getOrDefault(node, none());
    Map.Entry<Double, Double> before = readings.floorEntry(at);
    Map.Entry<Double, Double> after = readings.ceilingEntry(at);
    if (before == null || after == null || after.getKey() - before.getKey() > LONGEST_GAP) {
      return Double.NaN;
    }
    double span = after.getKey() - before.getKey();
    double share = span == 0 ? 0 : (at - before.getKey()) / span;
    return before.getValue() + share * (after.getValue() - before.getValue());
  }

  /** Mean cores of a window, NaN where a part of it is not known. */
  double mean(String node, double from, double to) {
    double sum = 0;
    double t = from;
    double cores = cores(node, from);
    for (Map.Entry<Double, Double> e :
        byNode.getOrDefault(node, none()).subMap(from, false, to, false).entrySet()) {
      sum += (e.getKey() - t) * (cores + e.getValue()) / 2;
      t = e.getKey();
      cores = e.getValue();
    }
    return (sum + (to - t) * (cores + cores(node, to)) / 2) / (to - from);
  }

  private static NavigableMap<Double, Double> none() {
    return Collections.emptyNavigableMap();
  }
}
