package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.LatencyRisk;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.state.NodeColumns;
import java.util.List;
import java.util.Map;

/**
 * P0: keep latency limits, then consolidate (the thesis' policy of that name, with the limits
 * really read). Where the placement makes no pod with limits, itself or one that runs there, any
 * likelier to miss them, nodes in use come first and fuller ones before emptier ones; elsewhere the
 * node wins where it adds least {@link LatencyRisk}, over the pod's life and all pods on the node.
 * A hard limit counts tenfold, so that soft ones are given up first.
 *
 * <p>A pod without limits does not miss any, but it may make others: it weighs by what it does to
 * the pods with limits, and a tenth as if it had the strictest limits around. An unknown latency
 * counts as the candidates' mean; if none is known, or there are no limits at all, expected CPU
 * below one half stands for room to spare.
 */
final class LatencyAware implements Policy {
  /** Of a pod's time above its limits; what is below counts as none. */
  private static final double TOLERANCE = 0.001;

  private static final double WITHOUT_LIMITS = 0.1;
  private static final double SAFE_CPU = 0.5;
  private static final double SAFE = 1000;

  /** Only where nothing else tells nodes apart. */
  private static final double TIE = 0.001;

  @Override
  public String name() {
    return "p0";
  }

  @Override
  public void score(Decision d, double[] preferences) {
    Forecast f = PredictThenGreedy.best().forecast(d);
    List<Map<LatencyLimits, Integer>> there = d.state().latencyLimits(d.candidates());
    LatencyLimits limits = d.pod().latency().any() ? d.pod().latency() : strictest(there);
    double weight = d.pod().latency().any() ? 1 : WITHOUT_LIMITS;
    double[] idle = idleMillis(d, f);
    for (int i = 0; i < preferences.length; i++) {
      double cpuMilli = d.candidates().cpuMilli()[i];
      double after = f.before()[0][i] + 1000 * f.podCores()[0] / f.power()[i];
      boolean unknown = !limits.any() || Double.isNaN(idle[i]);
      double risk = 0;
      double total = 0;
      for (int h = 0; h < f.horizons().length && !unknown; h++) {
        double u = f.before()[h][i];
        double v = u + 1000 * f.podCores()[h] / f.power()[i];
        risk +=
            f.podSurvival()[h]
                * (LatencyRisk.of(v, idle[i], there.get(i))
                    - LatencyRisk.of(u, idle[i], there.get(i))
                    + weight * LatencyRisk.of(v, idle[i], limits));
        total += f.podSurvival()[h];
      }
      if (unknown ? after <= SAFE_CPU : risk <= TOLERANCE * total) {
        double filled = (d.candidates().cpuRequestedMilli()[i] + d.pod().cpuMilli()) / cpuMilli;
        preferences[i] = SAFE + (d.candidates().podCount()[i] > 0 ? 1 : 0) + filled;
      } else {
        preferences[i] = unknown ? -after : -risk / total - TIE * after;
      }
    }
  }

  /** The strictest limits of the pods around. */
  private static LatencyLimits strictest(List<Map<LatencyLimits, Integer>> there) {
    double soft = Double.NaN;
    double hard = Double.NaN;
    for (Map<LatencyLimits, Integer> node : there) {
      for (LatencyLimits l : node.keySet()) {
        soft = least(soft, l.softMillis());
        hard = least(hard, l.hardMillis());
      }
    }
    return new LatencyLimits(soft, hard);
  }

  /** The smaller one; NaN is none. */
  private static double least(double a, double b) {
    return Double.isNaN(a) || b < a ? b : a;
  }

  /** Latency of the idle node; the mean where it is not known, NaN if it is nowhere known. */
  private static double[] idleMillis(Decision d, Forecast f) {
    NodeColumns columns = d.state().columns(d.candidates(), d.now());
    double[] idle = new double[columns.latency().length];
    double sum = 0;
    int known = 0;
    for (int i = 0; i < idle.length; i++) {
      double usage = 1000 * columns.cpu()[i] / d.candidates().cpuMilli()[i];
      idle[i] =
          LatencyRisk.idleMillis(
              columns.latency()[i], Double.isNaN(usage) ? f.before()[0][i] : usage);
      if (!Double.isNaN(idle[i])) {
        sum += idle[i];
        known++;
      }
    }
    for (int i = 0; i < idle.length; i++) {
      idle[i] = Double.isNaN(idle[i]) ? sum / known : idle[i];
    }
    return idle;
  }
}
