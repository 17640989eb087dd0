package dev.berth.policy.ledger;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.cluster.Windows;
import dev.berth.policy.usage.OwnerModel;
import dev.berth.policy.usage.StateEstimate;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import dev.berth.policy.usage.UsageFilter.Surprise;
import org.jspecify.annotations.Nullable;

/**
 * One pod on one node, from its bind to the last sample that can still show it.
 *
 * <p>Thread rule: one owner; callers serialise access.
 */
public final class PodState {
  /** A pod that requests nothing still uses something; upstream's scorers assume 100m as well. */
  private static final double MIN_CORES = 0.1;

  /** A pod that requests nothing still holds something; upstream's scorers assume 200 MiB. */
  private static final double MIN_BYTES = 200 << 20;

  /** Seconds after which a new pod reaches about its full usage. */
  private static final double RAMP_SECONDS = 30;

  /** A window that saw less of a pod's usual work tells more of its start than of that. */
  public static final double MIN_COVERAGE = 0.5;

  private final Pod pod;
  private final OwnerModel owner;
  private double cores;
  private final double boundAt;

  private final long order;

  private final StateEstimate deviation;
  private double goneAt = Double.POSITIVE_INFINITY;
  private @Nullable Measured measured;

  /**
   * What the last sample of the pod itself told.
   *
   * @param surprise beyond what was expected of it, cores
   */
  public record Measured(PodSample sample, Surprise surprise) {}

  /**
   * @param order number of binds before this one
   * @param deviation what is expected to set it apart from its owner; updated
   */
  public PodState(Pod pod, OwnerModel owner, double boundAt, long order, StateEstimate deviation) {
    this.pod = pod;
    this.owner = owner;
    this.cores = cores(pod);
    this.boundAt = boundAt;
    this.order = order;
    this.deviation = deviation;
  }

  public Pod pod() {
    return pod;
  }

  public OwnerModel owner() {
    return owner;
  }

  /** Request cores, as {@link #cores(Pod)}, of a node's capacity at most. */
  public double cores() {
    return cores;
  }

  /** What it requests, as the scheduler counts it: of a node's capacity at most, milli-cores. */
  public double requestedMilli() {
    double request = pod.cpuMilli();
    return request / 1000 > cores ? 1000 * cores : request;
  }

  /**
   * The pod is on a node with so many cores: it uses no more, whatever it requests. Whoever names a
   * node in a pod's spec goes past the scheduler's filters.
   */
  public void on(double capacity) {
    cores = Math.min(cores(pod), capacity);
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

  /** The last sample of the pod itself; null where pods are not measured. */
  public @Nullable Measured measured() {
    return measured;
  }

  public void measured(Measured last) {
    measured = last;
  }

  /**
   * Memory that it holds of what it requests as far as pods are measured: its own, else what its
   * owner's pods hold, else NaN.
   */
  public double memoryRatio() {
    double own = measured == null ? Double.NaN : measured.sample().memoryBytes();
    return Double.isNaN(own) ? owner.memoryRatio() : own / memoryRequested(pod);
  }

  /** Bytes that a pod is taken to request. */
  public static double memoryRequested(Pod pod) {
    return Math.max(MIN_BYTES, pod.memoryBytes());
  }

  /** Whether a window has next to nothing in common with that of its own last sample. */
  public boolean news(PodSample s) {
    return measured == null
        || Windows.news(measured.sample().windowEnd(), s.windowStart(), s.windowEnd());
  }

  /**
   * Part of what its own last sample showed that falls to a node's window: 1 while it runs, less
   * where the window saw less of it. 0 where its sample showed too little of the pod to go by, or
   * is so old that the next one is missing: pods and nodes are scraped at times of their own.
   */
  public double measuredShare(NodeSample s, UsageConfig config) {
    if (measured == null) {
      return 0;
    }
    double from = measured.sample().windowStart();
    double to = measured.sample().windowEnd();
    double own = coverage(from, to);
    return own < MIN_COVERAGE || s.windowStart() >= to + (to - from)
        ? 0
        : coverage(s, config) / own;
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
