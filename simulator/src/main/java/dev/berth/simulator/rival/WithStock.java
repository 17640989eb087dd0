package dev.berth.simulator.rival;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.heuristic.Policies;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.SimulationListener;
import dev.berth.simulator.usage.Draws;

/**
 * A rival's score, 0..100 at weight 1, plus those of stock scorers that stay enabled beside it at
 * their default weights.
 *
 * @param rival hears what the run tells
 * @param allocation whether LeastAllocated and BalancedAllocation stay, not only PodTopologySpread
 */
record WithStock<T extends Policy & SimulationListener>(String name, T rival, boolean allocation)
    implements Policy, SimulationListener {

  private static final Policy ALLOCATION = stock("default");
  private static final Policy ALL = stock("default-spread");

  private static Policy stock(String name) {
    return Policies.byName(name, Draws.stream(0, name)); // they draw nothing
  }

  @Override
  public boolean forecasts() {
    return false;
  }

  @Override
  public void score(Decision d, double[] preferences) {
    double[] all = new double[preferences.length];
    double[] withoutSpread = new double[preferences.length];
    ALL.score(d, all);
    if (!allocation) {
      ALLOCATION.score(d, withoutSpread);
    }
    rival.score(d, preferences);
    for (int i = 0; i < preferences.length; i++) {
      preferences[i] += all[i] - withoutSpread[i];
    }
  }

  @Override
  public void bound(Pod pod, String node, double at) {
    rival.bound(pod, node, at);
  }

  @Override
  public void gone(Pod pod, String node, double at) {
    rival.gone(pod, node, at);
  }

  @Override
  public void nodeGone(String node, double at) {
    rival.nodeGone(node, at);
  }

  @Override
  public void sampled(NodeSample sample, double visibleAt) {
    rival.sampled(sample, visibleAt);
  }

  @Override
  public void advanced(Cluster truth, double from, double seconds) {
    rival.advanced(truth, from, seconds);
  }
}
