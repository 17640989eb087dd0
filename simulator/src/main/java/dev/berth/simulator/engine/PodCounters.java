package dev.berth.simulator.engine;

import dev.berth.policy.cluster.PodSample;
import dev.berth.simulator.engine.CounterRate.Point;
import dev.berth.simulator.scenario.MetricsSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The counters of the pods on one node as cAdvisor shows them: scraped with the node, each from its
 * pod's start on. A pod's rate is the node's, computed the same way.
 */
final class PodCounters {
  private final MetricsSpec spec;
  private final Map<RunningPod, Deque<Point>> points = new HashMap<>();
  private List<PodSample> increases = List.of();

  PodCounters(MetricsSpec spec) {
    this.spec = spec;
  }

  /** The node was scraped; what is no longer there has no rate any more. */
  void read(Node node, double t) {
    points.keySet().removeIf(pod -> pod.gone);
    List<PodSample> since = new ArrayList<>();
    for (RunningPod pod : node.pods()) {
      Deque<Point> known = points.computeIfAbsent(pod, p -> new ArrayDeque<>());
      Point before = known.peekLast();
      while (!known.isEmpty() && known.getFirst().at() <= t - spec.windowSeconds()) {
        known.removeFirst();
      }
      known.addLast(new Point(t, pod.cpuSeconds));
      if (before != null) {
        double cores = (pod.cpuSeconds - before.value()) / (t - before.at());
        since.add(sample(pod, before.at(), t, cores));
      }
    }
    increases = since;
  }

  /** From the last scrape but one to the last. */
  List<PodSample> increases() {
    return increases;
  }

  /** What rate queries answer at {@code t}, for a window that ends with the newest scrape. */
  List<PodSample> rates(double t, double newest) {
    List<PodSample> samples = new ArrayList<>();
    points.forEach(
        (pod, scrapes) -> {
          double cores = CounterRate.perSecond(scrapes, t, spec.windowSeconds());
          if (!Double.isNaN(cores)) {
            samples.add(sample(pod, t - spec.windowSeconds(), newest, cores));
          }
        });
    return samples;
  }

  private static PodSample sample(RunningPod pod, double from, double to, double cores) {
    return new PodSample(pod.spec().pod().uid(), from, to, cores, pod.memoryBytes());
  }
}
