package dev.berth.policy.bookkeeping;

import dev.berth.policy.bookkeeping.BookkeepingConfig.Part;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;

/** One pod on one node, from its bind to the last sample that can still show it. */
final class PodBook {
  /** A pod that requests nothing still uses something; upstream's scorers assume 100m as well. */
  private static final double LEAST_CORES = 0.1;

  /** Seconds after which a new pod reaches about its full usage. */
  private static final double RAMP_SECONDS = 30;

  final Pod pod;
  final OwnerModel owner;
  final NodeBook node;
  final double cores;
  final double boundAt;

  /** Number of this bind. Tells earlier from later where times cannot: two clocks differ. */
  final long order;

  double goneAt = Double.POSITIVE_INFINITY;

  /** What sets this pod's ratio apart from its owner's. */
  final Belief deviation;

  PodBook(
      Pod pod,
      OwnerModel owner,
      NodeBook node,
      double boundAt,
      long order,
      double deviationVariance) {
    this.pod = pod;
    this.owner = owner;
    this.node = node;
    this.cores = cores(pod);
    this.boundAt = boundAt;
    this.order = order;
    this.deviation = new Belief(0, deviationVariance);
  }

  /** Request cores of a pod, never below what a pod without a request is taken to use. */
  static double cores(Pod pod) {
    return Math.max(LEAST_CORES, pod.cpuMilli() / 1000.0);
  }

  /**
   * Share of the sample's window that saw the pod at work, 0..1; all or nothing, by its last
   * instant, where the bookkeeping does without {@link Part#WINDOW}.
   */
  double coverage(NodeSample s, BookkeepingConfig config) {
    return config.has(Part.WINDOW)
        ? coverage(s.windowStart(), s.windowEnd())
        : boundAt < s.windowEnd() && goneAt >= s.windowEnd() ? 1 : 0;
  }

  /** Share of the window that saw the pod at work, 0..1; half the ramp counts as absence. */
  double coverage(double start, double end) {
    double from = Math.max(start, boundAt + RAMP_SECONDS / 2);
    double to = Math.min(end, goneAt);
    return end > start ? Math.max(0, Math.min(1, (to - from) / (end - start))) : 0;
  }
}
