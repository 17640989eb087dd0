package dev.berth.simulator.engine;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.simulator.scenario.Fault;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.Contention;
import dev.berth.simulator.usage.Draws;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * Turns node counters into samples as Prometheus and node-exporter would: every node is scraped at
 * its own offset, a sample is the mean since the last scrape that succeeded, it becomes visible
 * after a delay, and some scrapes fail. All faults of the metric path live here.
 */
final class Scraper {
  /**
   * A rate over fewer than two points within this range has no value, as in {@code rate(x[5m])}.
   */
  private static final double RANGE_SECONDS = 300;

  private final Scenario scenario;
  private final long seed;
  private final Map<String, Target> targets = new HashMap<>();
  private final Deque<Visible> queue = new ArrayDeque<>();

  private static final class Target {
    final double offset;
    final long lossSeed;
    long scrapes;
    double lastAt = Double.NEGATIVE_INFINITY;
    double lastCpuSeconds;

    Target(double offset, long lossSeed) {
      this.offset = offset;
      this.lossSeed = lossSeed;
    }
  }

  private record Visible(double at, NodeSample sample) {}

  Scraper(Scenario scenario, long seed) {
    this.scenario = scenario;
    this.seed = seed;
  }

  /** Scrapes the nodes whose turn it is. */
  void scrape(Cluster cluster, double t) {
    double interval = scenario.metrics().scrapeSeconds();
    for (Node node : cluster.nodes()) {
      Target target = targets.computeIfAbsent(node.name(), this::target);
      if (t >= target.offset + target.scrapes * interval) {
        target.scrapes = (long) Math.floor((t - target.offset) / interval) + 1;
        boolean lost =
            Draws.uniform(Draws.at(target.lossSeed, target.scrapes)) < scenario.metrics().loss();
        if (!lost && !faulty(Fault.Kind.PROMETHEUS_DOWN, node, t)) {
          if (!faulty(Fault.Kind.STALE_NODE, node, t)) {
            read(node, target, t);
          }
        }
      }
    }
  }

  /** Hands over the samples that have become visible. */
  void deliver(double t, BiConsumer<NodeSample, Double> sink) {
    while (!queue.isEmpty() && queue.peek().at() <= t) {
      Visible next = queue.remove();
      sink.accept(next.sample(), next.at());
    }
  }

  private void read(Node node, Target target, double t) {
    if (t - target.lastAt <= RANGE_SECONDS) {
      double cores = (node.cpuSeconds - target.lastCpuSeconds) / (t - target.lastAt);
      boolean nan = faulty(Fault.Kind.NAN_SAMPLES, node, t);
      double skew = 0;
      for (Fault fault : scenario.faults()) {
        if (fault.active(Fault.Kind.CLOCK_SKEW, node.name(), t)) {
          skew += fault.amount();
        }
      }
      boolean renamed = faulty(Fault.Kind.LABEL_RENAME, node, t);
      queue.add(
          new Visible(
              t + scenario.metrics().delaySeconds(),
              new NodeSample(
                  renamed ? node.name() + ":9100" : node.name(),
                  target.lastAt + skew,
                  t + skew,
                  nan ? Double.NaN : cores,
                  nan ? Double.NaN : node.memoryUsedBytes(),
                  nan ? Double.NaN : node.connections(),
                  nan
                      ? Double.NaN
                      : Contention.latencyMillis(node.demandCores(), node.capacityCores()))));
    }
    target.lastAt = t;
    target.lastCpuSeconds = node.cpuSeconds;
  }

  private boolean faulty(Fault.Kind kind, Node node, double t) {
    for (Fault fault : scenario.faults()) {
      if (fault.active(kind, node.name(), t)) {
        return true;
      }
    }
    return false;
  }

  private Target target(String node) {
    double spread =
        Draws.uniform(Draws.hash(seed, "scrape/" + node)) * scenario.metrics().scrapeSeconds();
    double offset = Math.floor(spread / Simulation.TICK_SECONDS) * Simulation.TICK_SECONDS;
    return new Target(offset, Draws.hash(seed, "loss/" + node));
  }
}
