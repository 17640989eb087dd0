package dev.berth.simulator.usage;

import java.util.random.RandomGenerator;

/** A closed interval to draw from uniformly; {@code min == max} is a constant. */
public record Range(double min, double max) {

  public Range {
    if (!(min <= max) || Double.isInfinite(min) || Double.isInfinite(max)) {
      throw new IllegalArgumentException(
          "range [" + min + ", " + max + "] needs two finite numbers, the smaller first");
    }
  }

  public double draw(RandomGenerator random) {
    return min + (max - min) * random.nextDouble();
  }
}
