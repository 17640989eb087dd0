package dev.berth.service.prometheus;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * What one pull measured. Immutable once published; unknown values are NaN.
 *
 * <p>Times are seconds on this machine's clock: a difference to Prometheus' clock is taken out, so
 * an age is right even when the two clocks are not.
 */
public final class Snapshot {
  static final Snapshot EMPTY = new Snapshot(0, Double.NEGATIVE_INFINITY, 0, Map.of());

  private final long number;
  private final double pulledAt;
  private final double windowSeconds;
  private final Map<String, double[]> values;

  private Snapshot(
      long number, double pulledAt, double windowSeconds, Map<String, double[]> values) {
    this.number = number;
    this.pulledAt = pulledAt;
    this.windowSeconds = windowSeconds;
    this.values = values;
  }

  /** Counts pulls that measured something; part of a reply's basis. */
  public long number() {
    return number;
  }

  public double pulledAt() {
    return pulledAt;
  }

  public Set<String> nodes() {
    return values.keySet();
  }

  /** The value, or NaN when this pull did not measure it. */
  public double value(String node, Metric metric) {
    double[] row = values.get(node);
    return row == null ? Double.NaN : row[metric.ordinal()];
  }

  /** Start of the window that rates average over. */
  public double windowStart() {
    return pulledAt - windowSeconds;
  }

  /** Collects values during a pull; one thread. */
  static final class Builder {
    private final Map<String, double[]> values = new HashMap<>();

    double get(String node, Metric metric) {
      double[] row = values.get(node);
      return row == null ? Double.NaN : row[metric.ordinal()];
    }

    void put(String node, Metric metric, double value) {
      values.computeIfAbsent(node, n -> unknown())[metric.ordinal()] = value;
    }

    java.util.Set<String> nodes() {
      return values.keySet();
    }

    boolean isEmpty() {
      return values.isEmpty();
    }

    private static double[] unknown() {
      double[] row = new double[Metric.values().length];
      Arrays.fill(row, Double.NaN);
      return row;
    }

    Snapshot build(long number, double pulledAt, double windowSeconds) {
      return new Snapshot(number, pulledAt, windowSeconds, Map.copyOf(values));
    }
  }
}
