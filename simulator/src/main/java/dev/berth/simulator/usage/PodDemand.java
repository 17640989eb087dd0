package dev.berth.simulator.usage;

/**
 * What one pod wants over its life: its load x static pod factor x AR(1) noise x ramp-up, plus the
 * surge of its start, times its request, capped at its CPU limit.
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

  private final OwnerProfile owner;
  private final Load ownerLoad;
  private final Load load;
  private final Load memory;
  // What every tick asks of every pod lies here, not behind owner and law: each of these would be
  // another place to wait for memory.
  private final boolean noisy;
  private final double initialNoise;
  private final double phi;
  private final double innovation;
  private final double cpuRequestCores;
  private final double cpuLimitCores;
  private final double memoryRequestBytes;
  private final double start;
  private final double rampSeconds;
  private final double surgeEnds;
  private final double surgeCores;
  private final double leak;
  private final double connections;
  private final long noiseSeed;
  private final double podFactor;

  private long step;
  private double noise;

  private double wantedCores;
  private double heldBytes;

  /**
   * Starts a pod.
   *
   * @param ownerLoad usage / request of its owner as a whole
   * @param load its own, before what the law adds
   * @param memory memory / request once it is warm
   */
  PodDemand(
      OwnerProfile owner,
      Load ownerLoad,
      Load load,
      Load memory,
      PodLaw law,
      long podSeed,
      double cpuRequestCores,
      double cpuLimitCores,
      double memoryRequestBytes,
      double start) {
    this.owner = owner;
    this.ownerLoad = ownerLoad;
    this.load = load;
    this.memory = memory;
    this.noisy = law.noise() > 0;
    this.phi = Math.exp(-GRID_SECONDS / law.noiseMemorySeconds());
    this.innovation = law.noise() * Math.sqrt(1 - phi * phi);
    this.cpuRequestCores = cpuRequestCores;
    this.cpuLimitCores = cpuLimitCores;
    this.memoryRequestBytes = memoryRequestBytes;
    this.start = start;
    this.rampSeconds = law.rampSeconds();
    this.surgeEnds = start + owner.startUp().surgeSeconds();
    this.surgeCores = cpuRequestCores * owner.startUp().surge();
    this.leak = owner.leak();
    this.connections = owner.connections();
    this.noiseSeed = Draws.at(podSeed, 1);
    this.initialNoise = law.noise() * Draws.gaussian(noiseSeed);
    double z = Draws.gaussian(Draws.at(podSeed, 2));
    this.podFactor = Math.exp(law.spread() * z - law.spread() * law.spread() / 2);
    rewind();
  }

  public OwnerProfile owner() {
    return owner;
  }

  /** Usage / request that its demand follows; pods that share it do the same but for their law. */
  public Load load() {
    return load;
  }

  /** Usage / request of its owner as a whole. */
  public Load ownerLoad() {
    return ownerLoad;
  }

  /** Second at which its containers start. */
  public double start() {
    return start;
  }

  /** CPU wanted at {@code t}, in cores; 0 before the pod started. */
  public double cpuCores(double t) {
    return cpuCores(t, load.at(t));
  }

  /**
   * The same with the load's value already at hand: a simulator asks it once per load and tick
   * instead of once per pod.
   */
  public double cpuCores(double t, double factor) {
    if (t < start) {
      return 0;
    }
    if (noisy) {
      advance(t);
    }
    double want = cpuRequestCores * factor * podFactor * Math.max(0, 1 + noise) * ramp(t);
    return Math.min(want + (t < surgeEnds ? surgeCores : 0), cpuLimitCores);
  }

  /** The pod's request. */
  public double requestCores() {
    return cpuRequestCores;
  }

  /** The pod's request times its static factor: noise-free demand is this times its load. */
  public double typicalCores() {
    return cpuRequestCores * podFactor;
  }

  /** Share of its steady usage that a pod shows at {@code t}: 0 at its start, 1 once it is warm. */
  public double ramp(double t) {
    double age = t - start;
    if (age >= rampSeconds) {
      return 1;
    }
    return age < 0 ? 0 : age / rampSeconds;
  }

  /**
   * Memory held at {@code t}, in bytes. A third is there at once, the rest comes with the ramp, and
   * a leak from then to the pod's end.
   */
  public double memoryBytes(double t) {
    if (t < start) {
      return 0;
    }
    double settled = memory.at(t) * (1 + 2 * ramp(t)) / 3;
    return memoryRequestBytes * (settled + leak * (t - start));
  }

  /** Established TCP connections at {@code t}: they follow the owner's load. */
  public double connections(double t) {
    return connections(t, relative(load, load.at(t)));
  }

  /** The same with {@link #relative} already at hand. */
  public double connections(double t, double relative) {
    return connections * relative * ramp(t);
  }

  /** A load's value against its mean. */
  public static double relative(Load load, double value) {
    return load.mean() == 0 ? 1 : value / load.mean();
  }

  /**
   * A tick begins: what it wants and holds during it, until the next, is {@link #wantedCores} and
   * {@link #heldBytes}. Kept here, as this is what a tick reads of a pod anyway.
   */
  public void tick(double t, double factor) {
    wantedCores = cpuCores(t, factor);
    heldBytes = memoryBytes(t);
  }

  /** CPU it wants in the current tick, cores. */
  public double wantedCores() {
    return wantedCores;
  }

  /** Memory it holds in the current tick, bytes. */
  public double heldBytes() {
    return heldBytes;
  }

  private void advance(double t) {
    double age = t - start;
    if (age < step * GRID_SECONDS) {
      rewind();
    }
    for (; age >= (step + 1) * GRID_SECONDS; step++) {
      noise = phi * noise + innovation * Draws.gaussian(Draws.at(noiseSeed, step));
    }
  }

  private void rewind() {
    step = 0;
    noise = initialNoise;
  }
}
