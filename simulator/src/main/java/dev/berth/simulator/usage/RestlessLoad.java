package dev.berth.simulator.usage;

import java.util.SplittableRandom;

/**
 * An owner in a restless world: a day of two humps, weekends, a level that every release moves,
 * factors that it shares with all others, bursts of heavy-tailed length and height.
 *
 * <pre>
 * load(t) = ratio x day(t) x weekend(t) x release(t) x exp(loadings . factors(t)) x burst(t)
 * </pre>
 */
final class RestlessLoad implements Load {
  private static final double RELEASE_SIGMA = 0.33;
  private static final double SECOND_HUMP = 0.55;

  // Bursts: Pareto lengths and heights. Tails of 1.4 and 1.9 have no variance.
  static final Range BURST_SLOT_SECONDS = new Range(1100, 6400);
  private static final double SHORTEST_BURST_SECONDS = 22;
  private static final double LENGTH_TAIL = 1.4;
  private static final double LOWEST_BURST = 1.25;
  private static final double HEIGHT_TAIL = 1.9;
  private static final double HIGHEST_BURST = 11;

  private final RestlessWorld world;
  private final double ratio;
  private final double amplitude;
  private final double phase;
  private final double secondPhase;
  private final double weekend;
  private final double[] loadings = new double[RestlessWorld.FACTORS];
  private final double releaseSlot;
  private final long releases;
  private final boolean bursts;
  private final double burstSlot;
  private final long burstSeed;

  RestlessLoad(RestlessWorld world, long seed, String owner, OwnerProfile drawn) {
    this.world = world;
    this.ratio = drawn.cpuRatio();
    this.amplitude = drawn.amplitude();
    this.phase = drawn.phase();
    Nature nature = world.nature();
    SplittableRandom random = Draws.stream(seed, "restless/" + owner);
    this.secondPhase = 2 * Math.PI * random.nextDouble();
    this.weekend = nature.weekend().draw(random);
    double each = nature.common() / Math.sqrt(loadings.length);
    for (int i = 0; i < loadings.length; i++) {
      loadings[i] = each * (1 + 0.5 * random.nextGaussian());
    }
    this.releaseSlot = nature.releaseSeconds() * (0.5 + random.nextDouble());
    this.releases = random.nextLong();
    this.bursts = random.nextDouble() < nature.bursts();
    this.burstSlot = BURST_SLOT_SECONDS.draw(random);
    this.burstSeed = random.nextLong();
  }

  @Override
  public double at(double t) {
    return calm(t) * level(t) * Math.exp(shared(t, 0)) * burst(t);
  }

  @Override
  public double expected(double now, double t) {
    double height = burst(now);
    double fade = Math.pow(1 + (t - now) / (4 * SHORTEST_BURST_SECONDS), -LENGTH_TAIL);
    return calm(t) * level(now) * Math.exp(shared(now, t - now)) * (1 + (height - 1) * fade);
  }

  /** Before weekends, releases and bursts. */
  @Override
  public double mean() {
    return ratio;
  }

  /** What the calendar alone says. */
  private double calm(double t) {
    double turn = 2 * Math.PI * world.calendar(t) / world.daySeconds();
    double day =
        1
            + amplitude
                * (Math.sin(turn + phase) + SECOND_HUMP * Math.sin(2 * turn + secondPhase))
                / (1 + SECOND_HUMP);
    return ratio * day * (world.weekend(t) ? weekend : 1);
  }

  /** One release at a random place of every slot; its level holds until the next. */
  private double level(double t) {
    if (Double.isInfinite(releaseSlot)) {
      return 1;
    }
    long slot = (long) Math.floor(t / releaseSlot);
    double place = Draws.uniform(Draws.at(releases, 2 * slot)) * releaseSlot;
    long last = t - slot * releaseSlot >= place ? slot : slot - 1;
    double z = Draws.gaussian(Draws.at(releases, 2 * last + 1));
    return Math.exp(RELEASE_SIGMA * z - RELEASE_SIGMA * RELEASE_SIGMA / 2);
  }

  private double shared(double t, double ahead) {
    double sum = 0;
    for (int i = 0; i < loadings.length; i++) {
      double variance = loadings[i] * loadings[i] / 2;
      sum += loadings[i] * world.factor(i, t) * world.persistence(i, ahead) - variance;
    }
    return sum;
  }

  private double burst(double t) {
    if (!bursts) {
      return 1;
    }
    long slot = (long) Math.floor(t / burstSlot);
    return Math.max(burst(slot, t), burst(slot - 1, t));
  }

  private double burst(long slot, double t) {
    long h = Draws.at(burstSeed, slot);
    double start = (slot + Draws.uniform(h)) * burstSlot;
    double u = 1 - Draws.uniform(Draws.at(h, 1));
    double length = Math.min(burstSlot, SHORTEST_BURST_SECONDS * Math.pow(u, -1 / LENGTH_TAIL));
    if (t < start || t >= start + length) {
      return 1;
    }
    double v = 1 - Draws.uniform(Draws.at(h, 2));
    return Math.min(HIGHEST_BURST, LOWEST_BURST * Math.pow(v, -1 / HEIGHT_TAIL));
  }
}
