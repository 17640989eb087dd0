package dev.berth.policy.reward;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.predict.LatencyRisk;
import dev.berth.policy.state.NodeColumns;
import java.util.List;
import java.util.Map;

/**
 * What the placement adds to {@link LatencyRisk}, the expected time above the limits of the pods'
 * annotations (P0): that of the pod itself and of all pods with limits that run on the node. A pod
 * without limits misses none, but it may make others miss theirs. L is what was measured on the
 * node, brought by the M/M/1 rule from the usage it was measured at to the usage without later
 * binds, with and without the pod. Says nothing where no pod has limits.
 */
record Latency() implements RewardTerm.Delayed {
  /** A network is not to see numbers far from 1. */
  private static final double MAX = 8;

  @Override
  public String name() {
    return "latency";
  }

  @Override
  public double[] reading(Measurement m) {
    double[] known = m.samples().latencyMillis().clone();
    for (int i = 0; i < known.length; i++) {
      known[i] =
          m.limits().any() && !Double.isNaN(m.samples().latencyLoad()[i]) ? known[i] : Double.NaN;
    }
    return known;
  }

  @Override
  public double[] increase(Measurement m) {
    double[] load = m.filledLoad();
    double[] out = new double[load.length];
    for (int i = 0; i < out.length; i++) {
      double idle =
          LatencyRisk.idleMillis(m.samples().latencyMillis()[i], m.samples().latencyLoad()[i]);
      if (!Double.isNaN(idle)) {
        Map<LatencyLimits, Integer> there = m.limits().there().get(i);
        out[i] =
            LatencyRisk.of(load[i] + m.share(i), idle, there)
                - LatencyRisk.of(load[i], idle, there)
                + LatencyRisk.of(load[i] + m.share(i), idle, m.limits().own());
      }
    }
    return out;
  }

  /** The risk on each node now, without the pod and with it. */
  @Override
  public FeatureColumn featureColumn(Decision d) {
    int n = d.candidates().size();
    FeatureColumn column = new FeatureColumn(new double[n], new double[n]);
    List<Map<LatencyLimits, Integer>> there = d.state().latencyLimits(d.candidates());
    NodeColumns columns = d.state().columns(d.candidates(), d.now());
    double[] now = d.state().expectedCpu(d.candidates(), d.now(), new double[] {0})[0];
    double pod = d.state().expectedPodCpu(d.pod(), d.now(), new double[] {0}, new double[1])[0];
    long[] power = d.state().power(d.candidates());
    double[] idle = new double[n];
    for (int i = 0; i < n; i++) {
      double share = 1000.0 / d.candidates().cpuMilli()[i];
      idle[i] = LatencyRisk.idleMillis(columns.latency()[i], columns.cpu()[i] * share);
    }
    double usual = RewardTerm.mean(idle);
    for (int i = 0; i < n && !Double.isNaN(usual); i++) {
      double share = 1000.0 / d.candidates().cpuMilli()[i];
      double millis = Double.isNaN(idle[i]) ? usual : idle[i];
      double after = now[i] * share + 1000 * pod / power[i];
      column.before()[i] = Math.min(MAX, LatencyRisk.of(now[i] * share, millis, there.get(i)));
      column.after()[i] =
          Math.min(
              MAX,
              LatencyRisk.of(after, millis, there.get(i))
                  + LatencyRisk.of(after, millis, d.pod().latency()));
    }
    return column;
  }

  @Override
  public boolean seen() {
    return true;
  }
}
