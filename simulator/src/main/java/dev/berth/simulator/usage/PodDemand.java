package dev.berth.simulator.usage;

/**
 * What one pod wants over its life: owner factor x static pod factor x AR(1) noise x ramp-up, plus
 * the surge of its start, times its request, capped at its CPU limit.
 *
 * <p>Deterministic in (seed, uid, time): asking again, later or from another process gives the same
 * answer. The noise advances on a grid, so times that mostly rise are cheap; going back replays the
 * grid from the pod's start.
 *
 * <p>Thread rule: one thread.
 */
public final class PodDemand {
  /** Noise changes on this grid. */
  public static final double GRID_SECONDS = 5;

  public static final double RAMP_SECONDS = 30;

  private static final double STATIC_SIGMA = 0.15;
  private static final double NOISE_SIGMA = 0.15;
  private static final double NOISE_MEMORY_SECONDS = 60;
  private static final double PHI = Math.exp(-GRID_SECONDS / NOISE_MEMORY_SECONDS);
  private static final double INNOVATION = NOISE_SIGMA * Math.sqrt(1 - PHI * PHI);

  private final OwnerProfile owner;
  private final double cpuRequestCores;
  private final double cpuLimitCores;
  private final double memoryRequestBytes;
  private final double start;
  private final long noiseSeed;
  private final double podFactor;

  private long step;
  private double noise;

  PodDemand(
      OwnerProfile owner,
      long podSeed,
      double cpuRequestCores,
      double cpuLimitCores,
      double memoryRequestBytes,
      double start) {
    this.owner = owner;
    this.cpuRequestCores = cpuRequestCores;
    this.cpuLimitCores = cpuLimitCores;
    this.memoryRequestBytes = memoryRequestBytes;
    this.start = start;
    this.noiseSeed = Draws.at(podSeed, 1);
    double z = Draws.gaussian(Draws.at(podSeed, 2));
    this.podFactor = Math.exp(STATIC_SIGMA * z - STATIC_SIGMA * STATIC_SIGMA / 2);
    rewind();
  }

  public OwnerProfile owner() {
    return owner;
  }

  /** Second at which its containers start. */
  public double start() {
    return start;
  }

  /** CPU wanted at {@code t}, in cores; 0 before the pod started. */
  public double cpuCores(double t) {
    return cpuCores(t, owner.cpuFactor(t));
  }

  /**
   * The same with the owner's factor already at hand: a simulator asks it once per owner and tick
   * instead of once per pod.
   */
  public double cpuCores(double t, double ownerFactor) {
    if (t < start) {
      return 0;
    }
    advance(t);
    double want = cpuRequestCores * ownerFactor * podFactor * Math.max(0, 1 + noise) * ramp(t);
    return Math.min(want + surgeCores(t), cpuLimitCores);
  }

  private double surgeCores(double t) {
    StartUp.Profile startUp = owner.startUp();
    return t < start + startUp.surgeSeconds() ? cpuRequestCores * startUp.surge() : 0;
  }

  /** The pod's request. */
  public double requestCores() {
    return cpuRequestCores;
  }

  /**
   * The pod's request times its static factor: noise-free demand is this times the owner factor.
   */
  public double typicalCores() {
    return cpuRequestCores * podFactor;
  }

  /** Share of its steady usage that a pod shows at {@code t}: 0 at its start, 1 after 30 s. */
  public double ramp(double t) {
    return Math.max(0, Math.min(1, (t - start) / RAMP_SECONDS));
  }

  /**
   * Memory held at {@code t}, in bytes. A third is there at once, the rest comes with the ramp, and
   * a leak from then to the pod's end.
   */
  public double memoryBytes(double t) {
    if (t < start) {
      return 0;
    }
    double settled = owner.memoryRatio() * (1 + 2 * ramp(t)) / 3;
    return memoryRequestBytes * (settled + owner.leak() * (t - start));
  }

  /** Established TCP connections at {@code t}: they follow the owner's load. */
  public double connections(double t) {
    return connections(t, owner.cpuFactor(t));
  }

  /** The same with the owner's factor already at hand. */
  public double connections(double t, double ownerFactor) {
    double load = owner.cpuRatio() == 0 ? 1 : ownerFactor / owner.cpuRatio();
    return owner.connections() * load * ramp(t);
  }

  private void advance(double t) {
    long target = (long) Math.floor((t - start) / GRID_SECONDS);
    if (target < step) {
      rewind();
    }
    for (; step < target; step++) {
      noise = PHI * noise + INNOVATION * Draws.gaussian(Draws.at(noiseSeed, step));
    }
  }

  private void rewind() {
    step = 0;
    noise = NOISE_SIGMA * Draws.gaussian(noiseSeed);
  }
}
