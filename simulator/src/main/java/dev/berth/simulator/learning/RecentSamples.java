package dev.berth.simulator.learning;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.state.ClusterState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the samples of a node have lately shown: its use, how far each sample lay from what was
 * expected of it, and the size of that, as means that forget half in five minutes, half an hour and
 * two hours. A forecast whose errors last leaves a trace here.
 *
 * <p>Thread rule: one thread.
 */
final class RecentSamples {
  private static final double[] HALF_LIVES = {300, 1800, 7200};
  private static final List<String> MEANS = List.of("used", "surprise", "surpriseSize");

  private final Map<String, Node> nodes = new HashMap<>();

  /** Of one node: the last sample's end, what the next was expected to show, and the means. */
  private static final class Node {
    private double until = Double.NEGATIVE_INFINITY;
    private double expected = Double.NaN;
    private final double[][] means = new double[MEANS.size()][HALF_LIVES.length];
  }

  /** Names of the columns of {@link #of}. */
  static List<String> names() {
    List<String> names = new ArrayList<>();
    for (String mean : MEANS) {
      for (double halfLife : HALF_LIVES) {
        names.add(mean + "%.0fm".formatted(halfLife / 60));
      }
    }
    return names;
  }

  /** A sample has been taken in by the state. */
  void sampled(NodeSample sample, double capacity, double now, ClusterState state) {
    if (Double.isNaN(sample.cpuCores())) {
      return;
    }
    Node node = nodes.computeIfAbsent(sample.node(), n -> new Node());
    double elapsed = sample.windowEnd() - node.until;
    double window = sample.windowEnd() - sample.windowStart();
    if (elapsed <= 0) {
      return;
    }
    double used = sample.cpuCores() / capacity;
    double surprise = Double.isNaN(node.expected) ? 0 : used - node.expected;
    double[] shown = {used, surprise, Math.abs(surprise)};
    for (int m = 0; m < shown.length; m++) {
      for (int k = 0; k < HALF_LIVES.length; k++) {
        double share = 1 - Math.pow(0.5, elapsed / HALF_LIVES[k]); // all of the first
        node.means[m][k] += share * (shown[m] - node.means[m][k]);
      }
    }
    node.until = sample.windowEnd();
    node.expected = state.expectedCpu(sample.node(), now, window) / capacity;
  }

  /**
   * The means of a node, zeros before its first sample: used less a forecast of now, then what was
   * not expected, then its size; fractions of the node.
   */
  double[] of(String name, double forecast) {
    Node node = nodes.get(name);
    if (node == null) {
      return new double[MEANS.size() * HALF_LIVES.length];
    }
    double[] all = Arrays.stream(node.means).flatMapToDouble(Arrays::stream).toArray();
    for (int k = 0; k < HALF_LIVES.length; k++) {
      all[k] -= forecast;
    }
    return all;
  }
}
