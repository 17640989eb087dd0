package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.bookkeeping.NodeColumns;

/**
 * P0: keep a pod's latency limits, then consolidate (the thesis' policy of that name, with the
 * limits really read). A candidate expected to stay within the soft limit beats one within the hard
 * limit, which beats one above it; among equals, nodes in use come first and fuller ones before
 * emptier ones. The expected latency of a node is its measured one, raised for what the pod and the
 * pods in flight add at 1 / (1 - utilisation). An unknown latency counts as the candidates' mean; a
 * pod without limits is consolidated below 80 % of expected CPU.
 */
final class LatencyAware implements Policy {
  private static final double SAFE = 0.8;

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
    for (int i = 0; i < n; i++) {
      double capacity = d.candidates().cpuMilli()[i] / 1000.0;
      double measuredAt = Double.isNaN(columns.cpu()[i]) ? now[i] : columns.cpu()[i];
      double before = Math.min(0.95, measuredAt / capacity);
      double after = Math.min(0.95, (now[i] + pod) / capacity);
      double latency = Double.isNaN(columns.latency()[i]) ? mean : columns.latency()[i];
      double expected = latency * (1 - before) / (1 - after);
      double filled =
          (double) (d.candidates().cpuRequestedMilli()[i] + d.pod().cpuMilli())
              / d.candidates().cpuMilli()[i];
      preferences[i] =
          10 * tier(d, expected, after) + (d.candidates().podCount()[i] > 0 ? 1 : 0) + filled;
    }
  }

  private static int tier(Decision d, double expected, double after) {
    double soft = d.pod().latency().softMillis();
    double hard = d.pod().latency().hardMillis();
    if (Double.isNaN(expected) || (Double.isNaN(soft) && Double.isNaN(hard))) {
      return after <= SAFE ? 2 : 0;
    }
    if (expected <= (Double.isNaN(soft) ? hard : soft)) {
      return 2;
    }
    return expected <= (Double.isNaN(hard) ? soft : hard) ? 1 : 0;
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
