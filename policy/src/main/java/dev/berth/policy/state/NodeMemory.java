package dev.berth.policy.state;

import dev.berth.policy.ledger.PodState;
import java.util.List;

/**
 * Memory that one node holds: what its last sample showed, and the requests of pods that came or
 * went since. What part of a request is held is for the whole cluster to say, see {@link #ratio}.
 *
 * <p>Thread rule: as {@link ClusterState}.
 */
final class NodeMemory {
  /** Seconds after its bind by which a pod has taken most of its memory. */
  private static final double SETTLES = 30;

  /** Share of the nodes that counts as holding what it requests, before anything is known. */
  private static final double PRIOR = 0.1;

  /** Pods are not taken to hold more: what nobody requested is held by others, too. */
  private static final double MAX_RATIO = 3;

  /**
   * Of what is allocatable: no node says more of the ratio than this, whatever it claims to hold or
   * its pods request. What is wrong with one is not to decide about the others.
   */
  private static final double MOST = 1.5;

  /** End of the last sample that told memory. */
  private double sampledAt = Double.NEGATIVE_INFINITY;

  /** What that sample showed; NaN without one. */
  private double held = Double.NaN;

  /** Requests behind it. */
  private double shown;

  /** Requests that it does not show yet, less those that it still shows. */
  private double since;

  /** The same in bytes, of pods whose memory is measured. */
  private double bytesSince;

  /**
   * A sample told that the node holds so much.
   *
   * @param pods on the node
   * @param departed from it, some perhaps after the sample
   */
  void sampled(double bytes, double at, List<PodState> pods, List<PodState> departed) {
    sampledAt = at;
    held = bytes;
    shown = 0;
    since = 0;
    bytesSince = 0;
    for (PodState p : pods) {
      double share = settled(p);
      shown += share * PodState.memoryRequested(p.pod());
      changed(p, 1 - share);
    }
    for (PodState p : departed) {
      double share = p.goneAt() > at ? settled(p) : 0;
      shown += share * PodState.memoryRequested(p.pod());
      changed(p, -share);
    }
  }

  void bound(PodState pod) {
    changed(pod, 1 - settled(pod));
  }

  void gone(PodState pod) {
    changed(pod, pod.goneAt() > sampledAt ? -1 : settled(pod) - 1);
  }

  /** A part of a pod's memory came, or went where it is negative. */
  private void changed(PodState pod, double part) {
    if (part == 0) {
      return; // nearly always
    }
    double requested = part * PodState.memoryRequested(pod.pod());
    double ratio = pod.memoryRatio();
    if (Double.isNaN(ratio)) {
      since += requested;
    } else {
      bytesSince += ratio * requested;
    }
  }

  /** Share of its memory that a pod held when the sample was taken. */
  private double settled(PodState pod) {
    return Math.max(0, Math.min(1, (sampledAt - pod.boundAt()) / SETTLES));
  }

  /** Puts it where decisions read it. */
  void write(NodeRows rows, int row) {
    rows.memoryHeld[row] = held;
    rows.memoryShown[row] = shown;
    rows.memorySince[row] = since;
    rows.memoryMeasuredSince[row] = bytesSince;
  }

  /**
   * Memory that is held of what is requested, over all nodes; near 1 while little runs.
   *
   * @param at rows of the nodes
   * @param capacity allocatable memory of each, bytes
   */
  static double ratio(NodeRows rows, int[] at, long[] capacity) {
    double held = 0;
    double requested = 0;
    for (int i = 0; i < at.length; i++) {
      double here = rows.memoryHeld[at[i]];
      if (!Double.isNaN(here)) {
        double most = MOST * capacity[i];
        double prior = PRIOR * capacity[i];
        double shown = rows.memoryShown[at[i]];
        held += (here < most ? here : most) + prior;
        requested += (shown < most ? shown : most) + prior;
      }
    }
    return requested > 0 ? Math.min(MAX_RATIO, held / requested) : 1;
  }

  /**
   * Bytes that a node will hold when its pods have settled.
   *
   * @param requestedBytes by the scheduler's books, which stand in where no sample was
   */
  static double expected(NodeRows rows, int row, double ratio, long requestedBytes) {
    double held = rows.memoryHeld[row];
    return Double.isNaN(held)
        ? ratio * requestedBytes
        : Math.max(0, held + ratio * rows.memorySince[row] + rows.memoryMeasuredSince[row]);
  }
}
