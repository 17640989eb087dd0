package dev.berth.simulator.experiment;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.berth.policy.Decision;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.workload.PodSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a run as JSON lines, one per event, so that another program can replay it: the
 * differential test puts the real kube-scheduler before the same decisions.
 *
 * <p>Lines: {@code run} first, {@code node}, {@code node-gone}, {@code bind}, {@code gone}, {@code
 * sample}; a bind the policy chose carries the feasible nodes it saw and the score of each, and a
 * sample leaves out what it does not know.
 */
public final class Recorder implements SimulationListener {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Cluster cluster;
  private final Writer out;
  private final Set<String> known = new HashSet<>();
  private @Nullable Decision decision;
  private double[] preferences = {};

  /** Records to {@code out}, which the caller closes. */
  public Recorder(Scenario scenario, Cluster cluster, Writer out) {
    this.cluster = cluster;
    this.out = out;
    ObjectNode line = line("run", 0).put("scenario", scenario.name());
    line.put("daySeconds", scenario.usage().daySeconds());
    line.put("scrapeSeconds", scenario.metrics().scrapeSeconds());
    write(line);
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
    ObjectNode line = line("bind", at);
    line.put("uid", pod.uid()).put("owner", pod.owner()).put("node", nodeName);
    line.put("cpuMilli", pod.cpuMilli()).put("memoryBytes", pod.memoryBytes());
    spec.nodeSelector().forEach(line.putObject("nodeSelector")::put);
    var tolerations = line.putArray("tolerations");
    spec.tolerations().forEach(tolerations::add);
    if (decision != null) {
      ObjectNode scores = line.putObject("scores");
      for (int i = 0; i < preferences.length; i++) {
        scores.put(decision.candidates().names()[i], preferences[i]);
      }
      decision = null;
    }
    write(line);
  }

  @Override
  public void gone(Pod pod, String node, double at) {
    write(line("gone", at).put("uid", pod.uid()).put("node", node));
  }

  @Override
  public void nodeGone(String node, double at) {
    known.remove(node);
    write(line("node-gone", at).put("node", node));
  }

  @Override
  public void sampled(NodeSample sample, double visibleAt) {
    ObjectNode line = line("sample", visibleAt).put("node", sample.node());
    line.put("windowStart", sample.windowStart()).put("windowEnd", sample.windowEnd());
    put(line, "cpuCores", sample.cpuCores());
    put(line, "memoryBytes", sample.memoryBytes());
    put(line, "connections", sample.connections());
    put(line, "latencyMillis", sample.latencyMillis());
    write(line);
  }

  private static void put(ObjectNode line, String key, double value) {
    if (Double.isFinite(value)) {
      line.put(key, value);
    }
  }

  private void node(Node node) {
    ObjectNode line = line("node", cluster.now());
    line.put("node", node.name()).put("zone", node.zone());
    line.put("cpuMilli", node.cpuMilli()).put("memoryBytes", node.memoryBytes());
    line.put("pods", node.podLimit());
    node.labels().forEach(line.putObject("labels")::put);
    var taints = line.putArray("taints");
    node.taints().forEach(t -> taints.add(t.key() + "=" + t.value()));
    write(line);
  }

  private static ObjectNode line(String type, double at) {
    return JSON.createObjectNode().put("type", type).put("at", at);
  }

  private void write(ObjectNode line) {
    try {
      out.write(line.toString());
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
