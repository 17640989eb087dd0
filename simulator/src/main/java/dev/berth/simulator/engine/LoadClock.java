package dev.berth.simulator.engine;

import dev.berth.simulator.usage.Load;
import dev.berth.simulator.usage.PodDemand;

/** A load, computed once per tick instead of once per pod and tick. */
final class LoadClock {
  private final Load load;
  private double at = Double.NaN;
  private double factor;
  private double relative;

  LoadClock(Load load) {
    this.load = load;
  }

  /** What is asked next is asked at this instant. */
  void at(double t) {
    if (t != at) {
      at = t;
      factor = load.at(t);
      relative = PodDemand.relative(load, factor);
    }
  }

  double factor() {
    return factor;
  }

  /** Of the load's mean. */
  double relative() {
    return relative;
  }
}
