package dev.berth.policy.agent;

import dev.berth.policy.Decision;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.policy.reward.Rewards;

/** The load whose spread and overload are to stay small. */
public enum Objective {
  /** Measured CPU usage, settled some minutes after the placement. */
  USAGE {
    @Override
    double[] load(Decision d, Forecast f) {
      return f.before()[0];
    }

    @Override
    double podCores(Decision d, Forecast f) {
      return f.podCores()[0];
    }

    @Override
    long[] power(Decision d, Forecast f) {
      return f.power();
    }
  },
  /** CPU requests, known at once. */
  REQUESTS {
    @Override
    double[] load(Decision d, Forecast f) {
      double[] load = new double[d.candidates().size()];
      for (int i = 0; i < load.length; i++) {
        load[i] = (double) d.candidates().cpuRequestedMilli()[i] / d.candidates().cpuMilli()[i];
      }
      return load;
    }

    @Override
    double podCores(Decision d, Forecast f) {
      return d.pod().cpuMilli() / 1000.0;
    }

    @Override
    long[] power(Decision d, Forecast f) {
      return d.candidates().cpuMilli();
    }
  };

  /** Load of every candidate before the placement, as a fraction of the node. */
  abstract double[] load(Decision d, Forecast f);

  /** What the pod adds, in cores. */
  abstract double podCores(Decision d, Forecast f);

  /** Capacity of every candidate in the unit of {@link #podCores}, milli. */
  abstract long[] power(Decision d, Forecast f);

  /** What the base would earn for given loads: minus the cost's increase, less the mean. */
  static double[] rewards(double[] load, long[] power, double podCores) {
    double[] out = new double[load.length];
    PlacementCost.increase(load, power, podCores, PlacementCost.FORECAST_ERROR, -1, out);
    Rewards.center(out);
    return out;
  }
}
