package dev.berth.simulator.engine;

import dev.berth.simulator.usage.Load;

/** A load, computed once per tick instead of once per pod and tick. */
final class LoadClock {
  private final Load load;
  private double at = Double.NaN;
  private double factor;

  LoadClock(Load load) {
    this.load = load;
  }

  double factor(double t) {
    if (t != at) {
      at = t;
      factor = load.at(t);
    }
    return factor;
  }
}
