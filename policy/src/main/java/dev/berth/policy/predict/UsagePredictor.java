package dev.berth.policy.predict;

import dev.berth.policy.Decision;
import dev.berth.policy.state.NodeColumns;
import dev.berth.policy.state.SampleState;
import dev.berth.policy.usage.UsageConfig.Part;

/**
 * Forecasts node usage from the cluster state, by one of three rules of growing knowledge.
 *
 * <p>Thread rule: stateless.
 */
public enum UsagePredictor {
  /** Last sample + signed in-flight ledger, the same at every horizon. */
  LIVE {
    @Override
    double[][] before(Decision d, double[] horizons) {
      double[][] expected = d.state().expectedCpu(d.candidates(), d.now(), horizons);
      return blend(d, expected, 1);
    }
  },
  /** Sum over the pods of their owner's learned usage; never looks at the last sample itself. */
  STATIC {
    @Override
    double[][] before(Decision d, double[] horizons) {
      return d.state().expectedCpu(d.candidates(), d.now(), horizons);
    }
  },
  /** Half of each. */
  BLEND {
    @Override
    double[][] before(Decision d, double[] horizons) {
      double[][] expected = d.state().expectedCpu(d.candidates(), d.now(), horizons);
      return blend(d, expected, 0.5);
    }
  };

  /** Expected CPU without the pod, cores, {@code [horizons][candidates]}. */
  abstract double[][] before(Decision d, double[] horizons);

  /** The forecast of a decision. */
  public Forecast forecast(Decision d, double[] horizons) {
    double[][] fraction = before(d, horizons);
    double[] shares = PlacementCost.shares(d.candidates().cpuMilli());
    for (double[] row : fraction) {
      for (int i = 0; i < row.length; i++) {
        row[i] *= 1000 * shares[i];
      }
    }
    double[] survival = new double[horizons.length];
    double[] cores = d.state().expectedPodCpu(d.pod(), d.now(), horizons, survival);
    double[] ownerRequestFraction = d.state().ownerCores(d.pod().owner(), d.candidates());
    long[] power = d.state().power(d.candidates());
    for (int i = 0; i < ownerRequestFraction.length; i++) {
      ownerRequestFraction[i] = 1000 * ownerRequestFraction[i] / power[i];
    }
    double[] variance = d.state().ownerVariance(d.pod().owner(), d.now(), horizons);
    double[] load = d.state().loadSurvival(horizons);
    MemoryRisk memory =
        d.state().config().has(Part.MEMORY) ? MemoryRisk.of(d) : MemoryRisk.none(power.length);
    return new Forecast(
        horizons,
        fraction,
        cores,
        power,
        survival,
        load,
        ownerRequestFraction,
        variance,
        memory.increase(),
        memory.room());
  }

  /** Mixes sample + ledger into the expectation, where a sample can still be trusted. */
  private static double[][] blend(Decision d, double[][] expected, double live) {
    NodeColumns c = d.state().columns(d.candidates(), d.now());
    double[] ledger = d.state().ledgerCpu(d.candidates(), d.now());
    for (double[] row : expected) {
      for (int i = 0; i < row.length; i++) {
        boolean trusted = c.state()[i] == SampleState.FRESH || c.state()[i] == SampleState.AGING;
        if (trusted) {
          row[i] = live * Math.max(0, c.cpu()[i] + ledger[i]) + (1 - live) * row[i];
        }
      }
    }
    return expected;
  }
}
