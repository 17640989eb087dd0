package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.state.NodeColumns;

/**
 * The idea of koordinator's LoadAware scorer on CPU and on node samples alone: least used over
 * measured CPU + 85 % of the request of every pod assigned after the sample + 85 % of this pod's.
 * It only adds: a departure shows with the next sample. Without a sample the node scores 0.
 */
final class UsagePlusEstimate implements Policy {
  private static final double ESTIMATE = 0.85;

  @Override
  public String name() {
    return "usage-plus-estimate";
  }

  @Override
  public boolean forecasts() {
    return false;
  }

  @Override
  public void score(Decision d, double[] preferences) {
    NodeColumns columns = d.state().columns(d.candidates(), d.now());
    for (int i = 0; i < preferences.length; i++) {
      double capacity = d.candidates().cpuMilli()[i];
      double estimated =
          1000 * columns.cpu()[i]
              + ESTIMATE
                  * (d.state().requestedSinceSample(d.candidates().names()[i])
                      + d.pod().cpuMilli());
      preferences[i] =
          Double.isNaN(estimated)
              ? 0
              : Math.max(0, Math.floor(100 * (capacity - estimated) / capacity));
    }
  }
}
