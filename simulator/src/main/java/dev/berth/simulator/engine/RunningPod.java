package dev.berth.simulator.engine;

import dev.berth.simulator.usage.Lifetime;
import dev.berth.simulator.usage.PodDemand;
import dev.berth.simulator.workload.PodSpec;

/** A pod bound to a node. */
public final class RunningPod {
  private final PodSpec spec;
  private final Node node;
  private final PodDemand demand;
  private final Lifetime lifetime;
  private final LoadClock load;
  private final double boundAt;
  private final double endsAt;
  private final long serial;

  double cpuSeconds; // used so far; the package's Cluster writes it

  int slot;
  boolean gone;

  RunningPod(
      PodSpec spec,
      Node node,
      PodDemand demand,
      Lifetime lifetime,
      LoadClock load,
      double boundAt,
      double endsAt,
      long serial) {
    this.spec = spec;
    this.node = node;
    this.demand = demand;
    this.lifetime = lifetime;
    this.load = load;
    this.boundAt = boundAt;
    this.endsAt = endsAt;
    this.serial = serial;
  }

  public PodSpec spec() {
    return spec;
  }

  public Node node() {
    return node;
  }

  public PodDemand demand() {
    return demand;
  }

  /** The law its life was drawn from. */
  public Lifetime lifetime() {
    return lifetime;
  }

  /** CPU it wants in the current tick, cores. */
  public double demandCores() {
    return demand.wantedCores();
  }

  /** Memory it holds in the current tick, bytes. */
  public double memoryBytes() {
    return demand.heldBytes();
  }

  LoadClock load() {
    return load;
  }

  public double boundAt() {
    return boundAt;
  }

  /** The true end, which only oracle-future may look at. */
  public double endsAt() {
    return endsAt;
  }

  /** Seconds that its containers will still run. */
  double lifeLeft(double t) {
    return endsAt - Math.max(t, demand.start());
  }

  long serial() {
    return serial;
  }
}
