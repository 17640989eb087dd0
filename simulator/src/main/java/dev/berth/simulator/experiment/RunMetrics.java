package dev.berth.simulator.experiment;

import dev.berth.policy.cluster.Pod;
import dev.berth.policy.reward.ServerPower;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.Node;
import dev.berth.simulator.engine.RunningPod;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.scenario.Scenario;
import dev.berth.simulator.usage.Contention;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Measures one run from the truth, after its warm-up. Only worker nodes count. {@link Metric} says
 * what each figure is.
 */
public final class RunMetrics implements SimulationListener {
  /** CPU demand / capacity above which a node counts as hot. */
  static final double HOT = 0.8;

  private final double warmup;
  private final boolean limited;
  private double seconds;
  private double usageStd;
  private double overloadMean;
  private double overloadCoreSeconds;
  private double demandCoreSeconds;
  private double peak;
  private double pending;
  private double hot;
  private double carried;
  private double nodesUsed;
  private double power;
  private double ownerDistance;
  private final @Nullable OwnerDistance distances;
  private double connectionsStd;
  private double latency;
  private final LatencyTail latencies = new LatencyTail();
  private double p0Seconds;
  private double p0SoftSeconds;
  private double p0HardSeconds;
  private int evictions;
  private int epochs;
  private double epochVariance;
  private double lastVariance;

  public RunMetrics(Scenario scenario) {
    this.warmup = scenario.warmupSeconds();
    boolean racks = scenario.nodes().stream().anyMatch(g -> g.serversPerRack() > 0);
    this.distances = racks ? new OwnerDistance() : null;
    this.limited = scenario.workload().latencyShare() > 0;
  }

  /** The figures; call after the run. */
  public Map<Metric, Double> values() {
    Map<Metric, Double> out = new EnumMap<>(Metric.class);
    out.put(Metric.REQUEST_CPU_VARIANCE, (epochVariance + lastVariance) / (epochs + 1));
    out.put(Metric.USAGE_CPU_STD, usageStd / seconds);
    out.put(Metric.OVERLOAD_INTEGRAL, overloadCoreSeconds);
    out.put(Metric.PEAK_NODE_CPU, peak);
    out.put(Metric.COST, (usageStd + 10 * overloadMean) / seconds);
    out.put(Metric.PODS_PENDING, pending / seconds);
    out.put(Metric.EVICTIONS, (double) evictions);
    out.put(Metric.CARRIED_LOAD, carried / seconds);
    out.put(Metric.NODES_USED, nodesUsed / seconds);
    out.put(Metric.POWER, power / seconds);
    out.put(Metric.OWNER_DISTANCE, distances == null ? Double.NaN : ownerDistance / seconds);
    out.put(Metric.HOT_NODE_SHARE, hot / seconds);
    out.put(Metric.CONNECTIONS_STD, connectionsStd / seconds);
    out.put(Metric.P99_LATENCY_MILLIS, latencies.quantile(0.99));
    out.put(
        Metric.THROTTLED_CPU, demandCoreSeconds == 0 ? 0 : overloadCoreSeconds / demandCoreSeconds);
    out.put(Metric.LATENCY_MILLIS, latency / seconds);
    out.put(Metric.SOFT_LIMIT_MISSED, p0Seconds == 0 ? 0 : p0SoftSeconds / p0Seconds);
    out.put(Metric.HARD_LIMIT_MISSED, p0Seconds == 0 ? 0 : p0HardSeconds / p0Seconds);
    return out;
  }

  @Override
  public void evicted(Pod pod, String node, double at) {
    if (at >= warmup) {
      evictions++;
    }
  }

  @Override
  public void epochEnds(Cluster truth, double at) {
    epochs++;
    epochVariance += requestVariance(truth);
  }

  @Override
  public void advanced(Cluster truth, double from, double dt) {
    lastVariance = requestVariance(truth);
    if (from < warmup) {
      return;
    }
    int n = 0;
    Moments usage = new Moments();
    Moments links = new Moments();
    double over = 0;
    int used = 0;
    double cores = 0;
    double requested = 0;
    double peakCores = 0;
    int hotNodes = 0;
    double slow = 0;
    double slowWeight = 0;
    for (Node node : truth.nodes()) {
      if (!node.worker()) {
        continue;
      }
      n++;
      double capacity = node.capacityCores();
      double demand = node.demandCores() / capacity;
      usage.add(node.usedCores() / capacity);
      links.add(node.connections());
      over += Contention.overload(node.demandCores(), capacity);
      overloadCoreSeconds += Math.max(0, node.demandCores() - capacity) * dt;
      demandCoreSeconds += node.demandCores() * dt;
      peak = Math.max(peak, demand);
      used += node.pods().isEmpty() ? 0 : 1;
      cores += capacity;
      requested += node.cpuRequestedMilli() / 1000.0;
      double share = ServerPower.share(node.usedCores() / capacity);
      peakCores += node.pods().isEmpty() ? 0 : capacity * share;
      hotNodes += demand > HOT ? 1 : 0;
      double millis = Contention.latencyMillis(node.demandCores(), capacity);
      slow += millis * node.pods().size();
      slowWeight += node.pods().size();
      latencies.add(millis, node.pods().size() * dt);
      if (limited) {
        limits(node, millis, dt);
      }
    }
    if (n == 0) {
      return;
    }
    seconds += dt;
    usageStd += usage.std() * dt;
    connectionsStd += links.std() * dt;
    overloadMean += over / n * dt;
    pending += truth.pending() * dt;
    carried += requested / cores * dt;
    nodesUsed += used * dt;
    power += peakCores / (cores / n) * dt;
    ownerDistance += distances == null ? 0 : distances.of(truth) * dt;
    hot += (double) hotNodes / n * dt;
    latency += (slowWeight == 0 ? 0 : slow / slowWeight) * dt;
  }

  private void limits(Node node, double millis, double dt) {
    for (RunningPod pod : node.pods()) {
      var limit = pod.spec().pod().latency();
      if (!Double.isNaN(limit.hardMillis())) {
        p0Seconds += dt;
        p0SoftSeconds += millis > limit.softMillis() ? dt : 0;
        p0HardSeconds += millis > limit.hardMillis() ? dt : 0;
      }
    }
  }

  private static double requestVariance(Cluster truth) {
    Moments moments = new Moments();
    for (Node node : truth.nodes()) {
      if (node.worker()) {
        moments.add((double) node.cpuRequestedMilli() / node.cpuMilli());
      }
    }
    return moments.variance();
  }

  /** Population moments by Welford's method. */
  private static final class Moments {
    private int n;
    private double mean;
    private double squares;

    void add(double x) {
      n++;
      double delta = x - mean;
      mean += delta / n;
      squares += delta * (x - mean);
    }

    double variance() {
      return n == 0 ? 0 : squares / n;
    }

    double std() {
      return Math.sqrt(variance());
    }
  }
}
