package dev.berth.policy.reward;

import dev.berth.policy.Decision;
import dev.berth.policy.bookkeeping.NodeColumns;
import dev.berth.policy.cluster.LatencyLimits;
import java.util.Arrays;

/**
 * How far the pod's latency lies above the limits of its annotations (P0): {@code max(0, L / soft -
 * 1) + 10 max(0, L / hard - 1)}. L is what was measured on the node, brought by the M/M/1 rule
 * {@code 1 / (1 - usage)} from the usage it was measured at to the usage with the pod and without
 * later binds. A pod without limits has nothing to say.
 */
record Latency() implements RewardTerm.Measured {
  private static final double HARD_WEIGHT = 10;
  private static final double FULL = 0.95;
  private static final double MOST = 4;

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public double[] reading(Measurement m) {
    if (!limited(m.limits())) {
      double[] none = new double[m.samples().latencyMillis().length];
      Arrays.fill(none, Double.NaN);
      return none;
    }
    double[] known = m.samples().latencyMillis().clone();
    for (int i = 0; i < known.length; i++) {
      known[i] = Double.isNaN(m.samples().latencyLoad()[i]) ? Double.NaN : known[i];
    }
    return known;
  }

  @Override
  public double[] increase(Measurement m) {
    double[] load = m.filledLoad();
    double[] out = new double[load.length];
    for (int i = 0; i < out.length; i++) {
      double expected =
          moved(m.samples().latencyMillis()[i], m.samples().latencyLoad()[i], load[i] + m.share(i));
      out[i] = Double.isNaN(expected) ? 0 : missed(expected, m.limits());
    }
    return out;
  }

  /** Limits that are NaN are not there. */
  private static double missed(double millis, LatencyLimits limits) {
    return over(millis, limits.softMillis()) + HARD_WEIGHT * over(millis, limits.hardMillis());
  }

  private static double over(double millis, double limit) {
    return Double.isNaN(limit) ? 0 : Math.min(MOST, Math.max(0, millis / limit - 1));
  }

  private static double moved(double millis, double from, double to) {
    return millis * (1 - Math.min(FULL, from)) / (1 - Math.min(FULL, to));
  }

  private static boolean limited(LatencyLimits limits) {
    return !Double.isNaN(limits.softMillis()) || !Double.isNaN(limits.hardMillis());
  }

  /** Latency against the pod's stricter limit. */
  @Override
  public Sight sight(Decision d) {
    int n = d.candidates().size();
    Sight sight = new Sight(new double[n], new double[n]);
    LatencyLimits limits = d.pod().latency();
    if (!limited(limits)) {
      return sight;
    }
    double limit = Double.isNaN(limits.softMillis()) ? limits.hardMillis() : limits.softMillis();
    NodeColumns columns = d.books().columns(d.candidates(), d.now());
    double[] now = d.books().expectedCpu(d.candidates(), d.now(), new double[] {0})[0];
    double pod = d.books().expectedPodCpu(d.pod(), d.now(), new double[] {0}, new double[1])[0];
    for (int i = 0; i < n; i++) {
      double share = 1000.0 / d.candidates().cpuMilli()[i];
      double from = columns.cpu()[i] * share;
      double millis = columns.latency()[i];
      if (!Double.isNaN(millis) && !Double.isNaN(from)) {
        sight.before()[i] = Math.min(MOST, moved(millis, from, now[i] * share) / limit);
        sight.after()[i] = Math.min(MOST, moved(millis, from, (now[i] + pod) * share) / limit);
      }
    }
    // Where nothing is known, what is usual.
    double usual = mean(sight.before());
    double usualAfter = mean(sight.after());
    for (int i = 0; i < n; i++) {
      if (sight.after()[i] == 0) {
        sight.before()[i] = usual;
        sight.after()[i] = usualAfter;
      }
    }
    return sight;
  }

  @Override
  public boolean seen() {
    return true;
  }

  /** Mean of what is not 0. */
  private static double mean(double[] values) {
    return Arrays.stream(values).filter(v -> v > 0).average().orElse(0);
  }
}
