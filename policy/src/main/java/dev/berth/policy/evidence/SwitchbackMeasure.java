package dev.berth.policy.evidence;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** What a switchback experiment measures of a cluster; less of each is better. */
public enum SwitchbackMeasure {
  /** Standard deviation over the nodes of CPU used, as a share of the node. */
  SPREAD("spread of CPU usage"),
  /** Share of the nodes that use more than {@link #HOT} of their CPU. */
  OVERLOAD("nodes above 80 % CPU"),
  /** Mean absolute difference of CPU used and CPU forecast, as a share of the node. */
  FORECAST_ERROR("error of the forecast");

  /** CPU used, as a share of the node, above which one counts as overloaded. */
  public static final double HOT = 0.8;

  private final String words;

  SwitchbackMeasure(String words) {
    this.words = words;
  }

  /** For people. */
  public String words() {
    return words;
  }

  /**
   * A reading of what can be seen of usage alone: {@link #SPREAD} and {@link #OVERLOAD}; NaN for no
   * nodes.
   *
   * @param usage CPU used as a share of the node, {@code [nodes]}
   */
  public static double[] ofUsage(double[] usage) {
    double mean = Arrays.stream(usage).average().orElse(Double.NaN);
    DoubleStream squares = Arrays.stream(usage).map(u -> (u - mean) * (u - mean));
    double hot = Arrays.stream(usage).filter(u -> u > HOT).count();
    return new double[] {Math.sqrt(squares.average().orElse(Double.NaN)), hot / usage.length};
  }
}
