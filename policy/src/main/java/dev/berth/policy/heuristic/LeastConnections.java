package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.state.NodeColumns;

/**
 * LC: fewest established TCP connections (the thesis' policy of that name), counting the pods in
 * flight at the mean number of connections of a pod there. A node whose connections are not known
 * counts as average.
 */
final class LeastConnections implements Policy {
  @Override
  public String name() {
    return "lc";
  }

  @Override
  public boolean forecasts() {
    return false;
  }

  @Override
  public void score(Decision d, double[] preferences) {
    NodeColumns columns = d.state().columns(d.candidates(), d.now());
    double sum = 0;
    double pods = 0;
    int known = 0;
    for (int i = 0; i < preferences.length; i++) {
      if (!Double.isNaN(columns.connections()[i])) {
        sum += columns.connections()[i];
        pods += d.candidates().podCount()[i] - d.candidates().pendingPods()[i];
        known++;
      }
    }
    double mean = known == 0 ? 0 : sum / known;
    double perPod = pods > 0 ? sum / pods : 1;
    for (int i = 0; i < preferences.length; i++) {
      double now = columns.connections()[i];
      preferences[i] = -(Double.isNaN(now) ? mean : now) - perPod * d.candidates().pendingPods()[i];
    }
  }
}
