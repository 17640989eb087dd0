package dev.berth.simulator.engine;

import dev.berth.simulator.usage.OwnerProfile;

/** An owner's factor, computed once per tick instead of once per pod and tick. */
final class OwnerClock {
  private final OwnerProfile profile;
  private double at = Double.NaN;
  private double factor;

  OwnerClock(OwnerProfile profile) {
    this.profile = profile;
  }

  double factor(double t) {
    if (t != at) {
      at = t;
      factor = profile.cpuFactor(t);
    }
    return factor;
  }
}
