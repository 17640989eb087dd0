package dev.berth.simulator.experiment;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.text.StrictJson;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.workload.PodSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run as JSON lines, one per event, so that another program can replay it: the
 * differential test puts the real kube-scheduler before the same decisions.
 *
 * <p>{@link RunEvent} lists the lines; {@code run} is the first.
 */
public final class Recorder implements SimulationListener {
  private final Cluster cluster;
  private final Writer out;
  private final Set<String> known = new HashSet<>();
  private @Nullable Decision decision;
  private double[] preferences = {};

  /** Records to {@code out}, which the caller closes. */
  public Recorder(Scenario scenario, Cluster cluster, Writer out) {
    this.cluster = cluster;
    this.out = out;
    write(
        new RunEvent.Begin(
            0, scenario.name(), scenario.usage().daySeconds(), scenario.metrics().scrapeSeconds()));
  }

  @Override
  public void decided(Decision made, double[] scores, int chosen) {
    decision = made;
    preferences = scores.clone();
  }

  @Override
  public void bound(Pod pod, String nodeName, double at) {
    cluster.nodes().stream().filter(n -> known.add(n.name())).forEach(this::node);
    Node node = cluster.node(nodeName);
    PodSpec spec = node.pods().get(node.pods().size() - 1).spec();
    write(
        new RunEvent.Bind(
            at,
            pod.uid(),
            pod.owner(),
            nodeName,
            pod.cpuMilli(),
            pod.memoryBytes(),
            spec.nodeSelector(),
            List.copyOf(spec.tolerations()),
            decision == null ? null : scores(decision)));
    decision = null;
  }

  private Map<String, Double> scores(Decision made) {
    Map<String, Double> scores = new LinkedHashMap<>();
    for (int i = 0; i < preferences.length; i++) {
      scores.put(made.candidates().names()[i], preferences[i]);
    }
    return scores;
  }

  @Override
  public void gone(Pod pod, String node, double at) {
    write(new RunEvent.Gone(at, pod.uid(), node));
  }

  @Override
  public void nodeGone(String node, double at) {
    known.remove(node);
    write(new RunEvent.NodeGone(at, node));
  }

  @Override
  public void sampled(NodeSample sample, double visibleAt) {
    write(
        new RunEvent.Sample(
            visibleAt,
            sample.node(),
            sample.windowStart(),
            sample.windowEnd(),
            known(sample.cpuCores()),
            known(sample.memoryBytes()),
            known(sample.connections()),
            known(sample.latencyMillis())));
  }

  private static @Nullable Double known(double value) {
    return Double.isFinite(value) ? value : null;
  }

  private void node(Node node) {
    write(
        new RunEvent.NodeJoined(
            cluster.now(),
            node.name(),
            node.zone(),
            node.cpuMilli(),
            node.memoryBytes(),
            node.podLimit(),
            node.labels(),
            node.taints().stream().map(t -> t.key() + "=" + t.value()).toList()));
  }

  private void write(RunEvent event) {
    try {
      out.write(new String(StrictJson.compact(event), StandardCharsets.UTF_8));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
