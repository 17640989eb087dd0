package dev.berth.policy.reward;

import dev.berth.policy.predict.PlacementCost;

/** Demand above capacity, expected under the noise of a measurement; nothing far below it. */
record Overload() implements RewardTerm.Delayed {
  @Override
  public String name() {
    return "overload";
  }

  @Override
  public double[] reading(Measurement m) {
    return m.load();
  }

  @Override
  public double[] increase(Measurement m) {
    return PlacementCost.overload(
        m.filledLoad(), m.power(), m.podCores(), PlacementCost.FORECAST_ERROR);
  }
}
