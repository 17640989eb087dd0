package dev.berth.workbench.live;

import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.usage.Contention;
import dev.berth.simulator.usage.DaemonOverhead;
import dev.berth.simulator.usage.PodDemand;
import dev.berth.simulator.usage.UsageModel;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The machines behind KWOK's fake nodes: turns the demand of the pods bound to them, as the
 * simulator's usage model draws it, into counters and gauges.
 *
 * <p>Time comes in as seconds on one clock that never runs backwards for this object; an earlier
 * time than the last is taken as the last, so counters never fall.
 *
 * <p>Thread rule: safe for many threads; every method holds the one lock for microseconds.
 */
final class FakeMachines {
  /** Demand is taken as constant for this long. Noise moves every 5 s, ramps last 30 s. */
  private static final double STEP_SECONDS = 1;

  /** What an established connection moves, on average. Our choice: the model knows no bytes. */
  private static final double BYTES_PER_CONNECTION_SECOND = 20_000;

  private final UsageModel model;
  private final Map<String, Machine> machines = new HashMap<>();
  private final Map<String, String> nodeOfPod = new HashMap<>();

  FakeMachines(UsageModel model) {
    this.model = model;
  }

  /**
   * A node joined, or told its size again.
   *
   * @param speed work done in a second of CPU; on a node of 0.5 a pod takes twice the CPU
   */
  synchronized void nodeUp(String name, long cpuMilli, long memoryBytes, double speed, double now) {
    Machine machine = machines.computeIfAbsent(name, n -> new Machine(now));
    machine.advance(now);
    machine.resize(cpuMilli, memoryBytes, speed, model.daemons(name, cpuMilli, memoryBytes));
  }

  synchronized void nodeGone(String name) {
    machines.remove(name);
  }

  /**
   * A pod's containers run on a node; telling it again changes nothing (and is answered false). The
   * node may be heard of later than its pods.
   *
   * @param uid the pod's own
   * @param pod the same pod, its uid that by which its usage is drawn, see {@link UsageKeys}
   * @param cpuLimitMilli CPU limit in milli-cores, 0 for none
   * @param startedAt when the node took the pod up; earlier than now after a restart of the
   *     exporter
   */
  synchronized boolean podUp(
      String uid, Pod pod, long cpuLimitMilli, String node, double startedAt, double now) {
    if (nodeOfPod.putIfAbsent(uid, node) != null) {
      return false;
    }
    Machine machine = machines.computeIfAbsent(node, n -> new Machine(now));
    machine.advance(now);
    machine.pods.put(
        uid,
        new Running(
            pod.namespace(),
            pod.name(),
            model.start(pod, cpuLimitMilli, startedAt + model.startDelay(pod))));
    return true;
  }

  /** A pod ended or was deleted; unknown pods are ignored. */
  synchronized void podGone(String uid, double now) {
    String node = nodeOfPod.remove(uid);
    Machine machine = node == null ? null : machines.get(node);
    if (machine != null) {
      machine.advance(now);
      machine.pods.remove(uid);
    }
  }

  /** Names of the nodes whose size is known. */
  synchronized Set<String> nodes() {
    Set<String> names = new TreeSet<>();
    machines.forEach(
        (name, machine) -> {
          if (machine.cores > 0) {
            names.add(name);
          }
        });
    return names;
  }

  /** CPU that is wanted of every node whose size is known, in cores, by name. */
  synchronized Map<String, Double> demands(double now) {
    Map<String, Double> cores = new TreeMap<>();
    for (String name : nodes()) {
      read(name, now).ifPresent(reading -> cores.put(name, reading.demandCores()));
    }
    return cores;
  }

  /** Reads one node's instruments; empty for a node that is not (or no longer) there. */
  synchronized Optional<NodeReading> read(String node, double now) {
    Machine machine = machines.get(node);
    return machine == null || machine.cores == 0
        ? Optional.empty()
        : Optional.of(machine.read(now));
  }

  /** One pod. Guarded by the outer lock. */
  private static final class Running {
    final String namespace;
    final String name;
    final PodDemand demand;

    /** At the last instant that was looked at. */
    double wantedCores;

    double cpuSeconds;

    Running(String namespace, String name, PodDemand demand) {
      this.namespace = namespace;
      this.name = name;
      this.demand = demand;
    }
  }

  /** One node. Guarded by the outer lock. */
  private static final class Machine {
    private final Map<String, Running> pods = new LinkedHashMap<>();
    private DaemonOverhead daemons = new DaemonOverhead(0, 0);
    private double cores;
    private double memoryBytes;
    private double speed = 1;
    private double readAt;
    private double busySeconds;
    private double idleSeconds;
    private double receivedBytes;

    Machine(double now) {
      readAt = now;
    }

    void resize(long cpuMilli, long bytes, double workPerSecond, DaemonOverhead overhead) {
      cores = cpuMilli / 1000.0;
      speed = workPerSecond;
      memoryBytes = bytes;
      daemons = overhead;
    }

    /** Integrates from the last reading to {@code now}, by the middle of each step. */
    void advance(double now) {
      while (readAt < now) {
        double step = Math.min(STEP_SECONDS, now - readAt);
        double middle = readAt + step / 2;
        double demand = demand(middle);
        double busy = Math.min(cores, demand);
        double granted = demand > 0 ? busy / demand : 0; // throttled, all alike
        pods.values().forEach(pod -> pod.cpuSeconds += granted * pod.wantedCores * step);
        busySeconds += busy * step;
        idleSeconds += (cores - busy) * step;
        receivedBytes += connections(middle) * BYTES_PER_CONNECTION_SECOND * step;
        readAt = Math.max(readAt + step, Math.nextUp(readAt)); // a tiny step must not stand still
      }
    }

    NodeReading read(double now) {
      advance(now);
      double demand = demand(readAt);
      double memory = daemons.memoryBytes();
      List<NodeReading.OfPod> each = new ArrayList<>();
      for (Running pod : pods.values()) {
        double held = pod.demand.memoryBytes(readAt);
        memory += held;
        each.add(new NodeReading.OfPod(pod.namespace, pod.name, pod.cpuSeconds, held));
      }
      return new NodeReading(
          cores,
          busySeconds,
          idleSeconds,
          demand,
          memoryBytes,
          Math.min(memory, memoryBytes),
          connections(readAt),
          receivedBytes,
          Contention.latencyMillis(demand, cores),
          each);
    }

    private double demand(double at) {
      double sum = daemons.cpuCores();
      for (Running pod : pods.values()) {
        pod.wantedCores = pod.demand.cpuCores(at, pod.demand.load().at(at) / speed);
        sum += pod.wantedCores;
      }
      return sum;
    }

    private double connections(double at) {
      double sum = 0;
      for (Running pod : pods.values()) {
        sum += pod.demand.connections(at);
      }
      return sum;
    }
  }
}
