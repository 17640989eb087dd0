package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.bookkeeping.NodeColumns;

/**
 * P0: keep latency limits, then consolidate (the thesis' policy of that name, with the limits
 * really read). Where the pod's soft limit is expected to hold with room to spare, nodes in use
 * come first and fuller ones before emptier ones; elsewhere the node with the lowest expected
 * latency wins, so that a soft limit is given up before a hard one. The expected latency of a node
 * is its measured one, raised for what the pod and the pods in flight add at 1 / (1 - utilisation).
 *
 * <p>Pods without limits share nodes with pods that have them, so they keep the strictest soft
 * limit seen so far. An unknown latency counts as the candidates' mean; if none is known, expected
 * CPU below one half stands for room to spare.
 */
final class LatencyAware implements Policy {
  /** Bursts and the day's rise come after the placement: below this share of the limit is safe. */
  private static final double HEADROOM = 0.75;

  private static final double SAFE_CPU = 0.5;
  private static final double SAFE = 1000;

  private double strictest = Double.POSITIVE_INFINITY;

  @Override
  public String name() {
    return "p0";
  }

  @Override
  public void score(Decision d, double[] preferences) {
    int n = preferences.length;
    NodeColumns columns = d.books().columns(d.candidates(), d.now());
    double[] now = d.books().expectedCpu(d.candidates(), d.now(), new double[] {0})[0];
    double pod = d.books().expectedPodCpu(d.pod(), d.now(), new double[] {0}, new double[1])[0];
    double mean = mean(columns.latency());
    double limit = limit(d);
    for (int i = 0; i < n; i++) {
      double capacity = d.candidates().cpuMilli()[i] / 1000.0;
      double measuredAt = Double.isNaN(columns.cpu()[i]) ? now[i] : columns.cpu()[i];
      double before = Math.min(0.95, measuredAt / capacity);
      double after = Math.min(0.95, (now[i] + pod) / capacity);
      double latency = Double.isNaN(columns.latency()[i]) ? mean : columns.latency()[i];
      double expected = latency * (1 - before) / (1 - after);
      boolean unknown = Double.isNaN(expected) || Double.isInfinite(limit);
      if (unknown ? after <= SAFE_CPU : expected <= HEADROOM * limit) {
        double filled =
            (double) (d.candidates().cpuRequestedMilli()[i] + d.pod().cpuMilli())
                / d.candidates().cpuMilli()[i];
        preferences[i] = SAFE + (d.candidates().podCount()[i] > 0 ? 1 : 0) + filled;
      } else {
        preferences[i] = unknown ? -after : -expected;
      }
    }
  }

  /** The soft limit to keep, milliseconds; a pod with only a hard limit keeps that one. */
  private double limit(Decision d) {
    double soft = d.pod().latency().softMillis();
    double own = Double.isNaN(soft) ? d.pod().latency().hardMillis() : soft;
    if (Double.isNaN(own)) {
      return strictest;
    }
    strictest = Math.min(strictest, own);
    return own;
  }

  private static double mean(double[] values) {
    double sum = 0;
    int known = 0;
    for (double v : values) {
      if (!Double.isNaN(v)) {
        sum += v;
        known++;
      }
    }
    return known == 0 ? Double.NaN : sum / known;
  }
}
