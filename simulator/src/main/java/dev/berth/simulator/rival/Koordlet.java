package dev.berth.simulator.rival;

import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.RunningPod;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * koordinator's agent on one node: every so often it reports what the node and each of its pods
 * used in the mean over a window (a {@code NodeMetric}). Reports never fail and arrive at once.
 *
 * <p>Follows koordinator v1.8.0 {@code pkg/koordlet/statesinformer/impl/states_nodemetric.go}.
 *
 * @param reportSeconds from one report to the next
 * @param windowSeconds of the mean; a pod younger than that is averaged over its life
 */
record Koordlet(double reportSeconds, double windowSeconds) {

  /** {@code DefaultColocationStrategy}: a report a minute, over five minutes. */
  static final Koordlet DEFAULT = new Koordlet(60, 300);

  /** The freshest that the agent allows (minReportIntervalSeconds, minAggregateDuration). */
  static final Koordlet FRESHEST = new Koordlet(30, 60);

  /** Mean use over a window: milli-cores and bytes. */
  record Used(long cpuMilli, long memoryBytes) {}

  /** What one report says. */
  record NodeMetric(double updateTime, Used node, Map<String, Used> pods) {}

  /** Runs on every node of a cluster. */
  static final class Fleet {
    private final Koordlet settings;
    private final Map<String, Agent> agents = new HashMap<>();

    Fleet(Koordlet settings) {
      this.settings = settings;
    }

    /** A tick passed; hands over the reports that are due at its end. */
    void advanced(Cluster truth, double from, double dt, BiConsumer<String, NodeMetric> reports) {
      for (Node node : truth.nodes()) {
        Agent agent = agents.get(node.name());
        if (agent == null) {
          agent = new Agent(settings, node.name(), from);
          agents.put(node.name(), agent);
        }
        agent.collect(node, dt);
        if (from + dt >= agent.nextReport) {
          reports.accept(node.name(), agent.report(node, from + dt));
        }
      }
    }

    void nodeGone(String node) {
      agents.remove(node);
    }
  }

  /** Use so far at a point in time. */
  private record Point(double at, double coreSeconds, double byteSeconds) {}

  /** Runs on, and remembers as much as a window needs. */
  private static final class Meter {
    private final Deque<Point> points = new ArrayDeque<>();
    private double coreSeconds;
    private double byteSeconds;

    Meter(double start) {
      points.add(new Point(start, 0, 0));
    }

    void add(double cores, double bytes, double dt) {
      coreSeconds += cores * dt;
      byteSeconds += bytes * dt;
    }

    Used mean(double now, double window) {
      Point oldest = points.getFirst();
      while (points.size() > 1 && oldest.at() < now - window) {
        points.removeFirst();
        oldest = points.getFirst();
      }
      double seconds = now - oldest.at();
      points.add(new Point(now, coreSeconds, byteSeconds));
      return new Used(
          Math.round(1000 * (coreSeconds - oldest.coreSeconds()) / seconds),
          Math.round((byteSeconds - oldest.byteSeconds()) / seconds));
    }
  }

  private static final class Agent {
    private final Koordlet settings;
    private final Meter node;
    private Map<String, Meter> pods = new HashMap<>();

    /** Of the pods that are there, in the node's order; as of one of its versions. */
    private final List<Meter> there = new ArrayList<>();

    private int thereAt;
    private double nextReport;

    /** Agents do not all report in the same second: each starts at its own. */
    Agent(Koordlet settings, String name, double now) {
      this.settings = settings;
      this.node = new Meter(now);
      this.nextReport = now + 5 + Math.floorMod(name.hashCode(), (int) settings.reportSeconds());
    }

    void collect(Node truth, double dt) {
      double share = truth.demandCores() > 0 ? truth.usedCores() / truth.demandCores() : 1;
      node.add(truth.usedCores(), truth.memoryUsedBytes(), dt);
      if (truth.version() != thereAt) {
        find(truth);
      }
      int i = 0;
      for (RunningPod pod : truth.pods()) {
        there.get(i++).add(pod.demandCores() * share, pod.memoryBytes(), dt);
      }
    }

    private void find(Node truth) {
      thereAt = truth.version();
      there.clear();
      for (RunningPod pod : truth.pods()) {
        there.add(pods.computeIfAbsent(pod.spec().pod().uid(), uid -> new Meter(pod.boundAt())));
      }
    }

    NodeMetric report(Node truth, double now) {
      nextReport = now + settings.reportSeconds();
      Map<String, Meter> running = new HashMap<>();
      Map<String, Used> used = new HashMap<>();
      for (RunningPod pod : truth.pods()) {
        String uid = pod.spec().pod().uid();
        Meter meter = pods.get(uid);
        if (meter != null) {
          running.put(uid, meter);
          used.put(uid, meter.mean(now, settings.windowSeconds()));
        }
      }
      pods = running;
      return new NodeMetric(now, node.mean(now, settings.windowSeconds()), used);
    }
  }
}
