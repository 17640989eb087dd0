package dev.berth.policy.usage;

/**
 * How alike the pods of an owner are. Both worlds exist: the replicas of a service behind a load
 * balancer hardly differ, the machines of a PlanetLab slice by more than half of their mean.
 */
public enum Likeness {
  /** Replicas do the same but for a little. */
  ALIKE(0.18, 0.2),
  /** Each pod does what it does. */
  UNLIKE(0.6, 0.6);

  private final double spread;
  private final double noise;

  Likeness(double spread, double noise) {
    this.spread = spread;
    this.noise = noise;
  }

  /** Standard deviation of a pod's lasting ratio from its owner's, relative to the ratio. */
  public double spread() {
    return spread;
  }

  /**
   * Standard deviation of a pod's short-lived noise, relative to the ratio; larger than what is
   * measured, as it outlives a sample and consecutive samples share it.
   */
  double noise() {
    return noise;
  }
}
