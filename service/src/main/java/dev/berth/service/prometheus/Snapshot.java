package dev.berth.service.prometheus;

import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.state.ClusterState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What one pull measured. Immutable once published; unknown values are NaN.
 *
 * <p>Times are seconds on this machine's clock: a difference to Prometheus' clock is taken out, so
 * an age is right even when the two clocks are not.
 */
public final class Snapshot {
  static final Snapshot EMPTY = new Snapshot(0, Double.NEGATIVE_INFINITY, 0, Map.of(), List.of());

  // Columns after those of the metrics.
  private static final int WINDOW_START = Metric.values().length;
  static final int COUNTED_AT = WINDOW_START + 1;
  private static final int COLUMNS = COUNTED_AT + 1;

  private final long number;
  private final double pulledAt;
  private final double windowSeconds;
  private final Map<String, double[]> values;
  private final List<PodSample> pods;

  private Snapshot(
      long number,
      double pulledAt,
      double windowSeconds,
      Map<String, double[]> values,
      List<PodSample> pods) {
    this.number = number;
    this.pulledAt = pulledAt;
    this.windowSeconds = windowSeconds;
    this.values = values;
    this.pods = pods;
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

  /** Start of the window that the node's CPU is a mean over. */
  public double windowStart(String node) {
    double[] row = values.get(node);
    return row == null || Double.isNaN(row[WINDOW_START])
        ? pulledAt - windowSeconds
        : row[WINDOW_START];
  }

  /** What was measured of pods since the pull before; empty where they are not. */
  public List<PodSample> pods() {
    return pods;
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

    /** Puts a value unless a larger one is known; false when one was known. */
    boolean putLarger(String node, int column, double value) {
      if (values.size() >= 2 * ClusterState.NODES_ADMITTED && !values.containsKey(node)) {
        return true; // all answers together name more than any cluster has
      }
      double[] row = values.computeIfAbsent(node, n -> unknown());
      boolean first = Double.isNaN(row[column]);
      row[column] = first ? value : Math.max(row[column], value);
      return first;
    }

    /** When the node's CPU counter was scraped, on Prometheus' clock; NaN when nobody says. */
    double countedAt(String node) {
      double[] row = values.get(node);
      return row == null ? Double.NaN : row[COUNTED_AT];
    }

    /** The node's CPU over a window of its own. */
    void window(String node, double start, double end, double cores) {
      double[] row = values.computeIfAbsent(node, n -> unknown());
      row[WINDOW_START] = start;
      row[Metric.SAMPLED_AT.ordinal()] = end;
      row[Metric.CPU.ordinal()] = cores;
    }

    Set<String> nodes() {
      return values.keySet();
    }

    boolean isEmpty() {
      return values.isEmpty();
    }

    private static double[] unknown() {
      double[] row = new double[COLUMNS];
      Arrays.fill(row, Double.NaN);
      return row;
    }

    Snapshot build(long number, double pulledAt, double windowSeconds, List<PodSample> pods) {
      return new Snapshot(number, pulledAt, windowSeconds, Map.copyOf(values), pods);
    }
  }
}
