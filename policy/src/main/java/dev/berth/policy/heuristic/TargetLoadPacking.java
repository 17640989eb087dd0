package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.state.NodeColumns;

/**
 * Trimaran's TargetLoadPacking (kubernetes-sigs/scheduler-plugins {@code targetloadpacking.go}):
 * packs up to a target CPU utilisation X, then spreads. Usage is the long mean of the metrics plus
 * 1.5 x the request of pods bound within the metric's blind minute.
 *
 * <pre>U <= X: (100 - X) U / X + X;  X < U <= 100: X (100 - U) / (100 - X);  above: 0</pre>
 */
final class TargetLoadPacking implements Policy {
  private static final double REQUEST_MULTIPLIER = 1.5;

  private final double target;

  TargetLoadPacking(double targetPercent) {
    this.target = targetPercent;
  }

  @Override
  public String name() {
    return "target-load-packing";
  }

  @Override
  public void score(Decision d, double[] preferences) {
    NodeColumns columns = d.state().columns(d.candidates(), d.now());
    for (int i = 0; i < preferences.length; i++) {
      double milli =
          1000 * columns.meanCpu()[i]
              + REQUEST_MULTIPLIER * (d.candidates().pendingCpuMilli()[i] + d.pod().cpuMilli());
      preferences[i] =
          Double.isNaN(milli) ? 0 : Math.round(packed(100 * milli / d.candidates().cpuMilli()[i]));
    }
  }

  double packed(double percent) {
    if (percent <= target) {
      return (100 - target) * percent / target + target;
    }
    return percent <= 100 ? target * (100 - percent) / (100 - target) : 0;
  }
}
