package dev.berth.policy.agent;

import dev.berth.policy.Decision;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.reward.Measurement;

/**
 * The state a decision was made in: all that ranks its candidates, and all of the cluster state
 * that will be needed to learn from it. Computed once, while the cluster state stands still; read
 * by the answer, its explanation and the learner. Entry i of every array is candidate i; whoever
 * gets one must not write to it.
 *
 * @param order binds before it, see {@link dev.berth.policy.state.ClusterState#binds}
 * @param base preference of the base; zero for an agent alone
 * @param clips largest correction of each preference
 * @param load before the placement, as a fraction of the node
 * @param podCores what the pod adds on a node of average speed
 * @param power capacities in such cores, milli
 * @param immediateRewards rewards known at the decision
 */
public record DecisionState(
    long order,
    Forecast forecast,
    AgentRows rows,
    double[] base,
    double[] clips,
    double[] load,
    double podCores,
    long[] power,
    Measurement.Limits limits,
    double[] immediateRewards) {

  /** Reads the cluster state: their owner's lock must be held. */
  static DecisionState of(LearnedPolicy policy, Decision d) {
    AgentConfig config = policy.config();
    Forecast forecast = policy.predictor().forecast(d);
    double[] load = config.task().objective().load(d, forecast);
    double podCores = config.task().objective().podCores(d, forecast);
    long[] power = config.task().objective().power(d, forecast);
    double[] base = new double[d.candidates().size()];
    if (config.correction().residual()) {
      policy.base(d, forecast, base);
    }
    return new DecisionState(
        d.state().binds(),
        forecast,
        new AgentRows(config, d, forecast),
        base,
        ValueDifference.clips(load, power, podCores, config.correction().clip()),
        load,
        podCores,
        power,
        config.task().rewards().limits(d),
        config.task().rewards().immediateRewards(d));
  }

  /** Bytes on the heap, about. */
  public long bytes() {
    return rows.bytes() + 8L * load.length * (forecast.horizons().length + 7);
  }
}
