package dev.berth.simulator.oracle;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.simulator.engine.Cluster;

/**
 * Predict-then-greedy that is told a part of what its forecast of the nodes gets wrong, at every
 * horizon: what a learned correction is worth that takes away as much of the squared error. Which
 * errors it takes away may differ; a cost that grows with their square cares little.
 */
final class ToldForecast implements Policy {
  private final String name;
  private final double step;
  private final Cluster truth;
  private final PredictThenGreedy base = PredictThenGreedy.best();
  private final TrueUsage usage;

  /**
   * @param share of the squared error that is taken away, 0 to 1
   */
  ToldForecast(String name, double share, Cluster truth) {
    this.name = name;
    this.step = 1 - Math.sqrt(1 - share);
    this.truth = truth;
    this.usage = new TrueUsage(Knowledge.FUTURE, PredictThenGreedy.HORIZONS);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public UsageConfig usageConfig(UsageConfig config) {
    return base.usageConfig(config);
  }

  @Override
  public void score(Decision d, double[] preferences) {
    Forecast forecast = base.forecast(d);
    usage.at(d.now());
    for (int i = 0; i < preferences.length; i++) {
      double[] cores = usage.cores(truth.node(d.candidates().names()[i]));
      for (int h = 0; h < cores.length; h++) {
        double error = 1000 * cores[h] / d.candidates().cpuMilli()[i] - forecast.before()[h][i];
        forecast.before()[h][i] += step * error;
      }
    }
    PredictThenGreedy.score(d, forecast, preferences);
  }
}
