package dev.berth.simulator.rival;

import dev.berth.policy.cluster.NodeSample;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Trimaran's source of metrics, paypal/load-watcher: once a minute it fetches what its provider
 * knows and keeps that until the next fetch succeeds, however long.
 *
 * <p>Follows load-watcher as scheduler-plugins v0.34.7 embeds it ({@code pkg/watcher/watcher.go}):
 * a metrics-server provider, the default, gives the latest use; a Prometheus provider mean and
 * standard deviation of the last fifteen minutes.
 */
final class LoadWatcher {
  private static final double FETCH_SECONDS = 60;
  private static final double WINDOW_SECONDS = 900;

  private final Map<String, Deque<NodeSample>> recent = new HashMap<>();
  private final Map<String, Usage> fetched = new HashMap<>();
  private double windowEnd = Double.NEGATIVE_INFINITY;

  /** Mean and standard deviation of what is known of a resource; NaN where nothing is. */
  record Figure(double latest, double mean, double deviation) {}

  /** One node's use: cores and bytes. */
  record Usage(Figure cpu, Figure memory) {}

  void sampled(NodeSample sample) {
    Deque<NodeSample> samples = recent.computeIfAbsent(sample.node(), n -> new ArrayDeque<>());
    samples.addLast(sample);
    while (samples.getFirst().windowEnd() < sample.windowEnd() - WINDOW_SECONDS) {
      samples.removeFirst();
    }
  }

  /** Time has come to here: fetches if a minute is over. */
  void advanced(double now) {
    if (now - windowEnd >= FETCH_SECONDS) {
      windowEnd = now;
      recent.forEach(
          (node, samples) ->
              fetched.put(
                  node,
                  new Usage(
                      figure(samples, NodeSample::cpuCores),
                      figure(samples, NodeSample::memoryBytes))));
    }
  }

  void nodeGone(String node) {
    recent.remove(node);
    fetched.remove(node);
  }

  /** What the last fetch said of a node; null when it has said nothing yet. */
  @Nullable Usage of(String node) {
    return fetched.get(node);
  }

  /** End of the window of what was fetched last. */
  double windowEnd() {
    return windowEnd;
  }

  private static Figure figure(Deque<NodeSample> samples, ToDoubleFunction<NodeSample> value) {
    double[] known = samples.stream().mapToDouble(value).filter(v -> !Double.isNaN(v)).toArray();
    if (known.length == 0) {
      return new Figure(Double.NaN, Double.NaN, Double.NaN);
    }
    double sum = 0;
    for (double v : known) {
      sum += v;
    }
    double mean = sum / known.length;
    double squares = 0;
    for (double v : known) {
      squares += (v - mean) * (v - mean);
    }
    return new Figure(known[known.length - 1], mean, Math.sqrt(squares / known.length));
  }
}
