package dev.berth.simulator.rival;

import dev.berth.policy.Policy;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.simulator.engine.Cluster;
import dev.berth.simulator.engine.SimulationListener;

/** A plugin of Trimaran: what it knows of nodes comes from its load watcher. */
abstract class Trimaran implements Policy, SimulationListener {
  private final String name;
  private final LoadWatcher watcher = new LoadWatcher();

  Trimaran(String name) {
    this.name = name;
  }

  @Override
  public final String name() {
    return name;
  }

  final LoadWatcher watcher() {
    return watcher;
  }

  @Override
  public final boolean forecasts() {
    return false;
  }

  @Override
  public void nodeGone(String node, double at) {
    watcher.nodeGone(node);
  }

  @Override
  public final void sampled(NodeSample sample, double visibleAt) {
    watcher.sampled(sample);
  }

  @Override
  public final void advanced(Cluster truth, double from, double seconds) {
    watcher.advanced(from + seconds);
  }
}
