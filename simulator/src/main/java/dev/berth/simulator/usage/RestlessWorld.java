package dev.berth.simulator.usage;

import java.util.SplittableRandom;

/** What the owners of one restless world share: calendar and common factors. */
final class RestlessWorld {
  static final int WEEK_DAYS = 7;
  static final int FACTORS = 3;

  /** How fast the common factors move, the first the slowest. */
  private static final double[] FACTOR_SECONDS = {9000, 2300, 700};

  private final Nature nature;
  private final double daySeconds;
  private final double calendarBegins;
  private final long[] factors = new long[FACTORS];

  RestlessWorld(long seed, Nature nature) {
    this.nature = nature;
    SplittableRandom random = Draws.stream(seed, "calendar");
    this.daySeconds = nature.daySeconds().draw(random);
    this.calendarBegins = random.nextDouble() * WEEK_DAYS * daySeconds;
    for (int i = 0; i < FACTORS; i++) {
      factors[i] = random.nextLong();
    }
  }

  Nature nature() {
    return nature;
  }

  double daySeconds() {
    return daySeconds;
  }

  /** Seconds of this world's calendar. */
  double calendar(double t) {
    return t + calendarBegins;
  }

  /** Whether it is one of the last two days of a week. */
  boolean weekend(double t) {
    long day = (long) Math.floor(calendar(t) / daySeconds);
    return Math.floorMod(day, WEEK_DAYS) >= WEEK_DAYS - 2;
  }

  /** A common factor, mean 0 and variance about 1: a line between independent draws. */
  double factor(int index, double t) {
    double x = t / FACTOR_SECONDS[index];
    long i = (long) Math.floor(x);
    double a = Draws.gaussian(Draws.at(factors[index], i));
    double b = Draws.gaussian(Draws.at(factors[index], i + 1));
    double w = x - i;
    return (a * (1 - w) + b * w) / Math.sqrt(w * w + (1 - w) * (1 - w));
  }

  /** How much of a common factor's present is left {@code ahead} seconds later. */
  double persistence(int index, double ahead) {
    return Math.max(0, 1 - ahead / (1.5 * FACTOR_SECONDS[index]));
  }
}
