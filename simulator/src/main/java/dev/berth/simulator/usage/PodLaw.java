package dev.berth.simulator.usage;

/**
 * What sets one pod apart from its load.
 *
 * @param spread sigma of a log-normal factor that a pod keeps for life
 * @param noise sigma of its AR(1) noise, relative
 * @param noiseMemorySeconds correlation time of that noise
 * @param rampSeconds from its start to its full load; 0 for at once
 */
record PodLaw(double spread, double noise, double noiseMemorySeconds, double rampSeconds) {
  static final PodLaw DRAWN = new PodLaw(0.15, 0.15, 60, 30);

  /** A recording has it all inside. */
  static final PodLaw RECORDED = new PodLaw(0, 0, 60, 0);
}
