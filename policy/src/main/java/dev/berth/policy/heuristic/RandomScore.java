package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import java.util.random.RandomGenerator;

/** Uniform random placement: the floor that every policy must beat. */
final class RandomScore implements Policy {
  private final RandomGenerator random;

  RandomScore(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public String name() {
    return "random";
  }

  @Override
  public boolean forecasts() {
    return false;
  }

  @Override
  public void score(Decision decision, double[] preferences) {
    for (int i = 0; i < preferences.length; i++) {
      preferences[i] = random.nextDouble();
    }
  }
}
