package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.state.NodeColumns;

/**
 * Trimaran's LoadVariationRiskBalancing (kubernetes-sigs/scheduler-plugins {@code
 * loadvariationriskbalancing/analysis.go}) with margin 1 and sensitivity 1, on CPU: mu = (mean used
 * + request) / capacity and sigma, both clamped to 0..1; score = 100 (1 - (mu + sigma) / 2).
 */
final class LoadVariationRisk implements Policy {
  @Override
  public String name() {
    return "load-variation-risk";
  }

  @Override
  public void score(Decision d, double[] preferences) {
    NodeColumns columns = d.state().columns(d.candidates(), d.now());
    for (int i = 0; i < preferences.length; i++) {
      double capacity = d.candidates().cpuMilli()[i] / 1000.0;
      double mu = clamp((columns.meanCpu()[i] + d.pod().cpuMilli() / 1000.0) / capacity);
      double sigma = clamp(columns.stdCpu()[i] / capacity);
      preferences[i] = Double.isNaN(mu) ? 0 : Math.round(100 * (1 - (mu + sigma) / 2));
    }
  }

  private static double clamp(double x) {
    return Math.max(0, Math.min(1, x));
  }
}
