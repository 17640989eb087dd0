package dev.berth.policy.heuristic;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;

/** A policy that is one formula per candidate. */
record PerNode(String name, Formula formula) implements Policy {

  /** Preference of candidate i. */
  interface Formula {
    double of(Decision decision, int i);
  }

  @Override
  public boolean forecasts() {
    return false;
  }

  @Override
  public void score(Decision decision, double[] preferences) {
    for (int i = 0; i < preferences.length; i++) {
      preferences[i] = formula.of(decision, i);
    }
  }
}
