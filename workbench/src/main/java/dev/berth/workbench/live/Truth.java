package dev.berth.workbench.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the fake nodes really did, second by second, for a replay to compare with: CPU demand of
 * every node, and which pod began and ended where and when.
 *
 * <p>Bounded: the oldest go first when there are more than a million demands (8 MiB, a day of
 * eleven nodes) or 16,384 pods that began or ended.
 *
 * <p>Thread rule: safe for many threads.
 */
final class Truth {
  private static final int MAX_DEMANDS = 1 << 20;
  private static final int MAX_PODS = 1 << 14;

  private static final ObjectMapper JSON = new ObjectMapper();

  private record Instant(double at, String[] nodes, double[] cores) {}

  private record PodEvent(double at, String what, String uid, String owner, String node) {}

  private final Deque<Instant> instants = new ArrayDeque<>();
  private final Deque<PodEvent> pods = new ArrayDeque<>();
  private String[] names = {};
  private final int maxDemands;
  private final int maxPods;
  private int demands;

  Truth() {
    this(1 << 20, 1 << 14);
  }

  Truth(int maxDemands, int maxPods) {
    this.maxDemands = maxDemands;
    this.maxPods = maxPods;
  }

  /** Demand of all nodes in cores, by name, at an epoch second. */
  synchronized void demand(double at, Map<String, Double> cores) {
    String[] now = cores.keySet().toArray(String[]::new);
    if (!Arrays.equals(now, names)) {
      names = now; // one array for all instants with the same nodes
    }
    double[] values = cores.values().stream().mapToDouble(Double::doubleValue).toArray();
    instants.add(new Instant(at, names, values));
    demands += values.length;
    while (demands > maxDemands) {
      demands -= instants.remove().cores().length;
    }
  }

  /** A pod's containers run on a node since {@code at}. */
  synchronized void started(double at, String uid, String owner, String node) {
    add(new PodEvent(at, "started", uid, owner, node));
  }

  /** A pod that ran on a node ended. */
  synchronized void ended(double at, String uid, String owner, String node) {
    add(new PodEvent(at, "ended", uid, owner, node));
  }

  private void add(PodEvent event) {
    pods.add(event);
    if (pods.size() > maxPods) {
      pods.remove();
    }
  }

  /** JSON lines of what is known from an epoch second on: first the pods, then the demands. */
  synchronized String since(double from) throws JsonProcessingException {
    List<Map<String, Object>> lines = new ArrayList<>();
    for (PodEvent e : pods) {
      if (e.at() >= from) {
        Map<String, Object> line = line("pod-" + e.what(), e.at());
        line.put("uid", e.uid());
        line.put("owner", e.owner());
        line.put("node", e.node());
        lines.add(line);
      }
    }
    for (Instant instant : instants) {
      if (instant.at() >= from) {
        Map<String, Double> cores = new LinkedHashMap<>();
        for (int i = 0; i < instant.nodes().length; i++) {
          cores.put(instant.nodes()[i], Math.round(instant.cores()[i] * 1e4) / 1e4);
        }
        Map<String, Object> line = line("demand", instant.at());
        line.put("cores", cores);
        lines.add(line);
      }
    }
    StringBuilder out = new StringBuilder();
    for (Map<String, Object> line : lines) {
      out.append(JSON.writeValueAsString(line)).append('\n');
    }
    return out.toString();
  }

  private static Map<String, Object> line(String what, double at) {
    Map<String, Object> line = new LinkedHashMap<>();
    line.put("kind", "truth");
    line.put("what", what);
    line.put("at", at);
    return line;
  }
}
