package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.state.NodeColumns;

/**
 * crane-scheduler's Dynamic scorer (gocrane/crane-scheduler {@code pkg/plugins/dynamic/stats.go})
 * on its 5-minute CPU mean: (1 - usage) x 100 minus 10 x hot value, the hot value being binds in
 * the last five minutes / 5 + binds in the last minute / 2. Without a sample the node scores 0.
 */
final class HotValue implements Policy {
  @Override
  public String name() {
    return "hot-value";
  }

  @Override
  public boolean forecasts() {
    return false;
  }

  @Override
  public void score(Decision d, double[] preferences) {
    NodeColumns columns = d.state().columns(d.candidates(), d.now());
    for (int i = 0; i < preferences.length; i++) {
      double used = columns.meanCpu()[i] * 1000 / d.candidates().cpuMilli()[i];
      String node = d.candidates().names()[i];
      int hot =
          d.state().bindsSince(node, d.now() - 300) / 5
              + d.state().bindsSince(node, d.now() - 60) / 2;
      preferences[i] =
          Double.isNaN(used) ? 0 : Math.max(0, Math.round(100 * (1 - used)) - 10 * hot);
    }
  }
}
