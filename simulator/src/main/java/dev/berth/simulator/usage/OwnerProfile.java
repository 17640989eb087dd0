package dev.berth.simulator.usage;

import java.util.SplittableRandom;

/**
 * The hidden truth about an owner (a Deployment, a Job, …). All replicas share it, so their bursts
 * hit at the same instant. Schedulers never see it; oracles do.
 *
 * @param cpuRatio mean usage / request before time of day and bursts
 * @param amplitude relative height of the daily sine
 * @param phase of the daily sine, radians
 * @param burstFactor usage multiplier during a burst; 1 for an owner that never bursts
 * @param memoryRatio memory used / requested once a pod is warm
 * @param leak memory that a pod gains in a second / requested
 * @param connections established TCP connections of a pod at mean load
 * @param meanLifetime mean life of its pods, seconds
 * @param burstSeed addresses the owner's bursts
 * @param daySeconds length of the day
 * @param startUp what its pods do before they work
 */
public record OwnerProfile(
    double cpuRatio,
    double amplitude,
    double phase,
    double burstFactor,
    double memoryRatio,
    double leak,
    double connections,
    double meanLifetime,
    long burstSeed,
    double daySeconds,
    StartUp.Profile startUp)
    implements Load {

  /** One burst starts in every slot of this length, at a random place. */
  static final double BURST_SLOT_SECONDS = 1800;

  static final double BURST_MEAN_SECONDS = 180;

  static OwnerProfile draw(long seed, String owner, UsageParameters p) {
    SplittableRandom random = Draws.stream(seed, "owner/" + owner);
    double ratio = p.cpuRatio().draw(random);
    double amplitude = p.amplitude().draw(random);
    double turn = random.nextDouble();
    double phase =
        2
            * Math.PI
            * switch (p.phases()) {
              case RANDOM -> turn;
              case ALIGNED -> turn / 8;
              case ANTIPHASE -> (turn < 0.5 ? 0 : 0.5) + turn / 16;
            };
    boolean bursts = random.nextDouble() < p.burstShare();
    double factor = p.burstFactor().draw(random);
    return new OwnerProfile(
        ratio,
        amplitude,
        phase,
        bursts ? factor : 1,
        p.memoryRatio().draw(random),
        p.leak().draw(seed, owner),
        1 + Math.floor(50 * random.nextDouble() * random.nextDouble()),
        p.lifetimeOf(owner).ownerMean(random),
        random.nextLong(),
        p.daySeconds(),
        p.startUp().draw(seed, owner));
  }

  /** Time-of-day multiplier at {@code t}, mean 1 over a day. */
  public double timeOfDay(double t) {
    return 1 + amplitude * Math.sin(2 * Math.PI * t / daySeconds + phase);
  }

  /** Whether a burst of this owner is running at {@code t}. */
  public boolean bursting(double t) {
    if (burstFactor == 1) {
      return false;
    }
    long slot = (long) Math.floor(t / BURST_SLOT_SECONDS);
    return inBurst(slot, t) || inBurst(slot - 1, t);
  }

  private boolean inBurst(long slot, double t) {
    long h = Draws.at(burstSeed, slot);
    double start = (slot + Draws.uniform(h)) * BURST_SLOT_SECONDS;
    double u = Draws.uniform(Draws.at(h, 1));
    double length = Math.min(BURST_SLOT_SECONDS, -BURST_MEAN_SECONDS * Math.log(1 - u));
    return t >= start && t < start + length;
  }

  /** Usage / request of a typical warm pod at {@code t}: time of day and bursts included. */
  @Override
  public double at(double t) {
    return cpuRatio * timeOfDay(t) * (bursting(t) ? burstFactor : 1);
  }

  /**
   * What can be known at {@code now} of {@link #at} at a later {@code t}: the burst of now dies
   * away, new ones have their long-run probability.
   */
  @Override
  public double expected(double now, double t) {
    double longRun = BURST_MEAN_SECONDS / BURST_SLOT_SECONDS;
    double fade = Math.exp(-(t - now) / BURST_MEAN_SECONDS);
    double burst = longRun + ((bursting(now) ? 1 : 0) - longRun) * fade;
    return cpuRatio * timeOfDay(t) * (1 + (burstFactor - 1) * burst);
  }

  @Override
  public double mean() {
    return cpuRatio;
  }
}
