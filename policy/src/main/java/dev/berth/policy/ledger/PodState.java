package dev.berth.policy.ledger;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.usage.OwnerModel;
import dev.berth.policy.usage.StateEstimate;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;

/**
 * One pod on one node, from its bind to the last sample that can still show it.
 *
 * <p>Thread rule: one owner; callers serialise access.
 */
public final class PodState {
  /** A pod that requests nothing still uses something; upstream's scorers assume 100m as well. */
  private static final double MIN_CORES = 0.1;

  /** Seconds after which a new pod reaches about its full usage. */
  private static final double RAMP_SECONDS = 30;

  private final Pod pod;
  private final OwnerModel owner;
  private final double cores;
  private final double boundAt;

  private final long order;

  private final StateEstimate deviation;
  private double goneAt = Double.POSITIVE_INFINITY;

  /**
   * @param order number of binds before this one
   */
  public PodState(Pod pod, OwnerModel owner, double boundAt, long order, double deviationVariance) {
    this.pod = pod;
    this.owner = owner;
    this.cores = cores(pod);
    this.boundAt = boundAt;
    this.order = order;
    this.deviation = new StateEstimate(0, deviationVariance);
  }

  public Pod pod() {
    return pod;
  }

  public OwnerModel owner() {
    return owner;
  }

  /** Request cores, as {@link #cores(Pod)}. */
  public double cores() {
    return cores;
  }

  public double boundAt() {
    return boundAt;
  }

  /** Number of this bind: which of two pods was bound first, whatever their clocks say. */
  public long order() {
    return order;
  }

  /** What sets this pod's ratio apart from its owner's. */
  public StateEstimate deviation() {
    return deviation;
  }

  /** When it left; infinite while it runs. */
  public double goneAt() {
    return goneAt;
  }

  public void gone(double at) {
    goneAt = at;
  }

  /** Request cores of a pod, never below what a pod without a request is taken to use. */
  public static double cores(Pod pod) {
    return Math.max(MIN_CORES, pod.cpuMilli() / 1000.0);
  }

  /**
   * Share of the sample's window that saw the pod at work, 0..1; all or nothing, by its last
   * instant, without {@link Part#WINDOW}.
   */
  public double coverage(NodeSample s, UsageConfig config) {
    return config.has(Part.WINDOW)
        ? coverage(s.windowStart(), s.windowEnd())
        : boundAt < s.windowEnd() && goneAt >= s.windowEnd() ? 1 : 0;
  }

  /** Share of its full use that the window saw of the pod, 0..1: its ramp-up is a straight line. */
  public double coverage(double start, double end) {
    if (start >= boundAt + RAMP_SECONDS && goneAt >= end) {
      return end > start ? 1 : 0; // nearly always, and exact
    }
    double to = Math.min(end, goneAt);
    return to > start && end > start
        ? (ramped(to - boundAt) - ramped(start - boundAt)) / (end - start)
        : 0;
  }

  /** Seconds at full use that do the work of a pod's first {@code age} seconds. */
  private static double ramped(double age) {
    return age < RAMP_SECONDS
        ? Math.max(0, age) * Math.max(0, age) / (2 * RAMP_SECONDS)
        : age - RAMP_SECONDS / 2;
  }
}
