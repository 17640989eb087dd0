package dev.berth.simulator.engine;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.PodSample;
import dev.berth.simulator.scenario.Fault;
import dev.berth.simulator.scenario.MetricsSpec;
import dev.berth.simulator.scenario.Scenario;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Turns node counters into samples as Prometheus and node-exporter would: every node is scraped at
 * its own offset, and some scrapes fail. A sample is the mean since the last scrape that succeeded;
 * or, where the scenario has a window, what a rate query answers at every pull. It becomes visible
 * after a delay. All faults of the metric path live here.
 */
final class Scraper {
  /** From scrape to scrape, an increase over more than this is not worth knowing. */
  private static final double RANGE_SECONDS = 300;

  private final Scenario scenario;
  private final MetricsSpec spec;
  private final long seed;
  private final Map<String, ScrapeTarget> targets = new HashMap<>();
  private final Deque<Visible> queue = new ArrayDeque<>();
  private long pulls;

  private record Visible(double at, NodeSample sample, List<PodSample> pods) {}

  /** Takes samples over: of a node, and of the pods on it where they are measured. */
  @FunctionalInterface
  interface Sink {
    void accept(NodeSample node, List<PodSample> pods, double visibleAt);
  }

  Scraper(Scenario scenario, long seed) {
    this.scenario = scenario;
    this.spec = scenario.metrics();
    this.seed = seed;
  }

  /** Scrapes the nodes whose turn it is, then pulls if it is time to. */
  void scrape(Cluster cluster, double t) {
    for (Node node : cluster.nodes()) {
      ScrapeTarget target = target(node);
      target.live(node, t);
      if (target.due(t)) {
        if (target.answers(t)
            && !faulty(Fault.Kind.PROMETHEUS_DOWN, node, t)
            && !faulty(Fault.Kind.STALE_NODE, node, t)) {
          scraped(node, target, t);
        } else {
          target.failed();
        }
      }
    }
    if (spec.rates() && t >= pulls * spec.pullSeconds()) {
      pulls = (long) Math.floor(t / spec.pullSeconds()) + 1;
      for (Node node : cluster.nodes()) {
        pull(node, t);
      }
    }
  }

  private ScrapeTarget target(Node node) {
    ScrapeTarget known = targets.get(node.name());
    if (known == null) {
      known = new ScrapeTarget(spec, seed, node.name());
      targets.put(node.name(), known);
    }
    return known;
  }

  /** From scrape to scrape, every scrape makes a sample. */
  private void scraped(Node node, ScrapeTarget target, double t) {
    CounterRate.Point before = target.newest();
    CounterRate.Point now = target.read(node, t);
    if (!spec.rates()
        && before != null
        && t - before.at() <= RANGE_SECONDS
        && now.value() >= before.value()) {
      double cores = (now.value() - before.value()) / (t - before.at());
      deliverLater(node, target, before.at(), cores, target.pods().increases(), t);
    }
  }

  /**
   * What the live service makes of its queries: the window ends with the newest scrape and begins a
   * window's length before the pull. After a failed scrape the series is stale, and Prometheus
   * knows of no newest one.
   */
  private void pull(Node node, double t) {
    ScrapeTarget target = targets.get(node.name());
    if (target == null || faulty(Fault.Kind.PROMETHEUS_DOWN, node, t)) {
      return;
    }
    CounterRate.Point newest = target.newest();
    double from = t - spec.windowSeconds();
    if (target.up() && newest != null && newest.at() > from) {
      deliverLater(node, target, from, target.rate(t), target.pods().rates(t, newest.at()), t);
    }
  }

  private void deliverLater(
      Node node,
      ScrapeTarget target,
      double windowStart,
      double cores,
      List<PodSample> pods,
      double t) {
    ScrapeTarget.Gauges gauges = target.gauges();
    boolean nan = faulty(Fault.Kind.NAN_SAMPLES, node, t);
    double skew = 0;
    for (Fault fault : scenario.faults()) {
      if (fault.active(Fault.Kind.CLOCK_SKEW, node.name(), t)) {
        skew += fault.amount();
      }
    }
    boolean renamed = faulty(Fault.Kind.LABEL_RENAME, node, t);
    double ahead = skew;
    queue.add(
        new Visible(
            t + spec.delaySeconds(),
            new NodeSample(
                renamed ? node.name() + ":9100" : node.name(),
                windowStart + skew,
                gauges.at() + skew,
                nan ? Double.NaN : cores,
                nan ? Double.NaN : gauges.memoryBytes(),
                nan ? Double.NaN : gauges.connections(),
                nan ? Double.NaN : gauges.latencyMillis()),
            nan || pods.isEmpty() ? List.of() : pods.stream().map(p -> skewed(p, ahead)).toList()));
  }

  private static PodSample skewed(PodSample s, double seconds) {
    return new PodSample(
        s.uid(), s.windowStart() + seconds, s.windowEnd() + seconds, s.cpuCores(), s.memoryBytes());
  }

  private boolean faulty(Fault.Kind kind, Node node, double t) {
    for (Fault fault : scenario.faults()) {
      if (fault.active(kind, node.name(), t)) {
        return true;
      }
    }
    return false;
  }

  /** Hands over the samples that have become visible. */
  void deliver(double t, Sink sink) {
    while (!queue.isEmpty() && queue.peek().at() <= t) {
      Visible next = queue.remove();
      sink.accept(next.sample(), next.pods(), next.at());
    }
  }
}
