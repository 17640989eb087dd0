package dev.berth.policy.reward;

import dev.berth.policy.predict.PlacementCost;

/** The spread of usage over the nodes: the first part of {@link PlacementCost}. */
record Balance() implements RewardTerm.Delayed {
  @Override
  public String name() {
    return "balance";
  }

  @Override
  public double[] reading(Measurement m) {
    return m.load();
  }

  @Override
  public double[] increase(Measurement m) {
    return PlacementCost.balance(m.filledLoad(), m.power(), m.podCores());
  }
}
