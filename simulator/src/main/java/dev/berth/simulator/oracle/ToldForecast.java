package dev.berth.simulator.oracle;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.MemoryLimit;
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
  private final Cluster cluster;
  private final PredictThenGreedy base = PredictThenGreedy.best();
  private final TrueUsage truth;

  /**
   * @param share of the squared error that is taken away, 0 to 1
   */
  ToldForecast(String name, double share, Cluster cluster) {
    this.name = name;
    this.step = 1 - Math.sqrt(1 - share);
    this.cluster = cluster;
    this.truth = new TrueUsage(Knowledge.FUTURE, cluster, PredictThenGreedy.HORIZONS);
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
    truth.at(d.now());
    for (int i = 0; i < preferences.length; i++) {
      double[] cores = truth.cores(cluster.node(d.candidates().names()[i]));
      for (int h = 0; h < cores.length; h++) {
        double error = 1000 * cores[h] / d.candidates().cpuMilli()[i] - forecast.before()[h][i];
        forecast.before()[h][i] += step * error;
      }
    }
    PredictThenGreedy.base(d, forecast, preferences);
    MemoryLimit.keep(forecast.memoryRoom(), preferences);
  }
}
