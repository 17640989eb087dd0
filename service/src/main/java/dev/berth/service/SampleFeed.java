package dev.berth.service;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.service.experiment.Readings;
import dev.berth.service.prometheus.Metric;
import dev.berth.service.prometheus.Snapshot;
import dev.berth.service.scoring.Intake;
import dev.berth.service.scoring.NodeTable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Carries snapshots of Prometheus to the scorer's intake, as samples of pods and nodes. */
final class SampleFeed implements Consumer<Snapshot> {
  private final Intake intake;
  private final NodeTable nodes;
  private final Readings readings;

  SampleFeed(Intake intake, NodeTable nodes, Readings readings) {
    this.intake = intake;
    this.nodes = nodes;
    this.readings = readings;
  }

  @Override
  public void accept(Snapshot snapshot) {
    List<NodeSample> samples = new ArrayList<>();
    Map<String, Double> cores = new HashMap<>();
    for (String node : snapshot.nodes()) {
      double sampledAt = snapshot.value(node, Metric.SAMPLED_AT);
      // Without the time of the scrape nobody knows how old the values are: they wait for the next.
      // A sample older than the whole window has no rates left in it.
      if (sampledAt > snapshot.windowStart(node)) {
        nodes.measured(
            node,
            snapshot.value(node, Metric.CPU_CAPACITY),
            snapshot.value(node, Metric.MEMORY_CAPACITY),
            sampledAt);
        cores.put(node, snapshot.value(node, Metric.CPU_CAPACITY));
        samples.add(
            new NodeSample(
                node,
                snapshot.windowStart(node),
                sampledAt,
                snapshot.value(node, Metric.CPU),
                snapshot.value(node, Metric.MEMORY),
                snapshot.value(node, Metric.CONNECTIONS),
                snapshot.value(node, Metric.LATENCY)));
      }
    }
    intake.sized(cores);
    intake.observe(snapshot.pods());
    intake.observe(samples, snapshot.number());
    readings.observed(() -> usage(samples, cores));
  }

  private static double[] usage(List<NodeSample> samples, Map<String, Double> cores) {
    return samples.stream()
        .mapToDouble(s -> s.cpuCores() / cores.getOrDefault(s.node(), Double.NaN))
        .filter(Double::isFinite)
        .toArray();
  }
}
