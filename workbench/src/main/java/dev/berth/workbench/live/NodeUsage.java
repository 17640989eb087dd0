package dev.berth.workbench.live;

import dev.berth.service.config.PrometheusConfig;
import dev.berth.service.prometheus.PrometheusClient;
import dev.berth.service.prometheus.QueryException;
import dev.berth.service.prometheus.Series;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** Measured usage of nodes, as Prometheus holds it. */
public final class NodeUsage {
  /**
   * Share of a node's CPU in use, for the series that a selector leaves. Busy over all rather than
   * one minus idle: where samples cover only a part of the window, both sides shrink alike.
   */
  private static final String CPU_SHARE =
      "(sum by (node) (rate(node_cpu_seconds_total{mode!~\"idle|iowait\",%1$s}[%2$s]))"
          + " / sum by (node) (rate(node_cpu_seconds_total{%1$s}[%2$s])))";

  static final String MEMORY_SHARE =
      "1 - node_memory_MemAvailable_bytes{node!=\"\"} / node_memory_MemTotal_bytes";

  private final PrometheusClient prometheus;
  private final String window;

  /**
   * @param window of the rates, at least two scrapes; for example 20s
   */
  public NodeUsage(String url, String window) {
    this.prometheus = new PrometheusClient(PrometheusConfig.at(url));
    this.window = window;
  }

  /**
   * Spread of measured CPU over nodes within a stretch of time.
   *
   * @param std mean over time of the population standard deviation over nodes, as a share of a node
   * @param max highest share that any node showed
   * @param mean share in use, over nodes and time
   * @param hotShare share of (node, instant) pairs above 80 %
   */
  public record Spread(double std, double max, double mean, double hotShare) {}

  /** Latest CPU share by node; a node without samples is not in the map. */
  Map<String, Double> cpu() throws InterruptedException {
    return byNode(CPU_SHARE.formatted("node!=\"\"", window));
  }

  /** Latest memory share by node. */
  Map<String, Double> memory() throws InterruptedException {
    return byNode(MEMORY_SHARE);
  }

  /**
   * The spread over the {@code seconds} before {@code end} (epoch seconds).
   *
   * @param nodes a regular expression of node names
   * @throws QueryException when Prometheus has no samples of that stretch
   */
  public Spread spread(String nodes, long end, long seconds) throws InterruptedException {
    String share = CPU_SHARE.formatted("node=~\"" + nodes + "\"", window);
    String stretch = String.format(Locale.ROOT, "[%ds:1s] @ %d", seconds, end);
    return new Spread(
        number("avg_over_time(stddev(" + share + ")" + stretch + ")"),
        number("max_over_time(max(" + share + ")" + stretch + ")"),
        number("avg_over_time(avg(" + share + ")" + stretch + ")"),
        number("avg_over_time(avg(" + share + " > bool 0.8)" + stretch + ")"));
  }

  /**
   * The standard deviation over nodes at every {@code step} seconds of the {@code seconds} before
   * {@code end}: {@code [instants]}, NaN where there are no samples.
   */
  public double[] curve(String nodes, long end, long seconds, int step)
      throws InterruptedException {
    String share = CPU_SHARE.formatted("node=~\"" + nodes + "\"", window);
    double[] std = new double[(int) (seconds / step) + 1];
    for (int i = 0; i < std.length; i++) {
      long at = end - seconds + (long) i * step;
      std[i] = value("last_over_time(stddev(" + share + ")[1s:1s] @ " + at + ")");
    }
    return std;
  }

  /** The single value of a query; NaN when it has none. */
  public double value(String promql) throws InterruptedException {
    var series = prometheus.query(promql).series();
    return series.size() == 1 ? series.get(0).value() : Double.NaN;
  }

  private double number(String promql) throws InterruptedException {
    double value = value(promql);
    if (Double.isNaN(value)) {
      throw new IllegalStateException("Prometheus has no samples for: " + promql);
    }
    return value;
  }

  private Map<String, Double> byNode(String promql) throws InterruptedException {
    Map<String, Double> values = new HashMap<>();
    for (Series series : prometheus.query(promql).series()) {
      values.put(series.labels().getOrDefault("node", ""), series.value());
    }
    return values;
  }
}
