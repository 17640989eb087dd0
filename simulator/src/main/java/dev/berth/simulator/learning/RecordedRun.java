package dev.berth.simulator.learning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.policy.Decision;
import dev.berth.policy.agent.OnlineLearner;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A recorded run of any policy ({@code berth simulate --record}), played again to a learner: the
 * same decisions, samples and ends fill its replay buffer, and nothing is simulated. Which node was
 * taken comes from the record; what it and the other candidates would have earned, from the samples
 * that follow.
 *
 * <p>Thread rule: one thread.
 */
final class RecordedRun {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final OnlineLearner learner;
  private final Map<String, Machine> nodes = new HashMap<>();
  private final Map<String, Pod> pods = new HashMap<>();
  private ClusterState state = new ClusterState(UsageConfig.DEFAULT);
  private long decisions;
  private int sinceStep;

  private static final class Machine {
    String zone = "";
    long cpuMilli;
    long memoryBytes;
    int podLimit;
    long cpuRequested;
    long memoryRequested;
    int count;

    void add(Pod pod, int sign) {
      cpuRequested += sign * pod.cpuMilli();
      memoryRequested += sign * pod.memoryBytes();
      count += sign;
    }
  }

  private RecordedRun(OnlineLearner learner) {
    this.learner = learner;
  }

  /**
   * Plays a record to its end; returns its decisions.
   *
   * @throws IllegalArgumentException naming file and line of what is no such record
   */
  static long play(Path file, OnlineLearner learner) throws IOException {
    RecordedRun run = new RecordedRun(learner);
    try (BufferedReader in = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        try {
          run.event(JSON.readTree(line));
        } catch (IOException | RuntimeException e) {
          throw new IllegalArgumentException(
              file + " line " + number + " is not of a record of berth simulate --record", e);
        }
      }
    }
    return run.decisions;
  }

  private void event(JsonNode line) {
    double at = line.required("at").asDouble();
    learn(learner.advance(at, state));
    switch (line.required("type").asText()) {
      case "run" ->
          state =
              new ClusterState(
                  UsageConfig.DEFAULT
                      .withDaySeconds(line.required("daySeconds").asDouble())
                      .withScrapeInterval(line.required("scrapeSeconds").asDouble()));
      case "node" -> join(line);
      case "node-gone" -> {
        nodes.remove(text(line, "node"));
        state.nodeGone(text(line, "node"));
      }
      case "bind" -> bind(line, at);
      case "gone" -> {
        Pod pod = pods.remove(text(line, "uid"));
        if (pod != null) {
          machine(text(line, "node")).add(pod, -1);
          state.podGone(pod.uid(), at);
        }
      }
      case "sample" -> state.sample(sample(line), at);
      default -> throw new IllegalArgumentException("unknown event " + line);
    }
  }

  private void join(JsonNode line) {
    Machine m = new Machine();
    m.zone = text(line, "zone");
    m.cpuMilli = line.required("cpuMilli").asLong();
    m.memoryBytes = line.required("memoryBytes").asLong();
    m.podLimit = line.required("pods").asInt();
    nodes.put(text(line, "node"), m);
  }

  private void bind(JsonNode line, double at) {
    String node = text(line, "node");
    Pod pod =
        Pod.of(
            text(line, "uid"),
            text(line, "owner"),
            line.required("cpuMilli").asLong(),
            line.required("memoryBytes").asLong());
    if (line.has("scores")) {
      List<String> names = new ArrayList<>();
      line.get("scores").fieldNames().forEachRemaining(names::add);
      decisions++;
      Decision decision = new Decision(at, pod, columns(names), state);
      learner.decided(decision, names.indexOf(node));
      learn(learner.config().task().immediate() ? 1 : 0);
    }
    pods.put(pod.uid(), pod);
    machine(node).add(pod, 1);
    state.podBound(pod, node, at);
  }

  private void learn(int settled) {
    sinceStep += settled;
    learner.train(sinceStep / learner.config().learning().trainFrequency());
    sinceStep %= learner.config().learning().trainFrequency();
  }

  private Candidates columns(List<String> names) {
    List<Machine> machines = names.stream().map(this::machine).toList();
    int n = names.size();
    String[] racks = new String[n];
    Arrays.fill(racks, "");
    return new Candidates(
        names.toArray(new String[0]),
        machines.stream().mapToLong(m -> m.cpuMilli).toArray(),
        machines.stream().mapToLong(m -> m.memoryBytes).toArray(),
        machines.stream().mapToInt(m -> m.podLimit).toArray(),
        machines.stream().mapToLong(m -> m.cpuRequested).toArray(),
        machines.stream().mapToLong(m -> m.memoryRequested).toArray(),
        machines.stream().mapToInt(m -> m.count).toArray(),
        new long[n],
        new long[n],
        new int[n],
        machines.stream().map(m -> m.zone).toArray(String[]::new),
        racks,
        null);
  }

  private Machine machine(String node) {
    Machine found = nodes.get(node);
    if (found == null) {
      throw new IllegalArgumentException("node " + node + " was not announced");
    }
    return found;
  }

  private static NodeSample sample(JsonNode line) {
    return new NodeSample(
        text(line, "node"),
        line.required("windowStart").asDouble(),
        line.required("windowEnd").asDouble(),
        line.path("cpuCores").asDouble(Double.NaN),
        line.path("memoryBytes").asDouble(Double.NaN),
        line.path("connections").asDouble(Double.NaN),
        line.path("latencyMillis").asDouble(Double.NaN));
  }

  private static String text(JsonNode line, String key) {
    return line.required(key).asText();
  }
}
