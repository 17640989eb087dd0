package dev.berth.policy.predict;

/**
 * Node usage ahead, per horizon and candidate.
 *
 * @param horizons seconds after now, {@code [horizons]}
 * @param before expected CPU without the pod, as a fraction of the node, {@code
 *     [horizons][candidates]}
 * @param podCores expected CPU of the pod while it lives, on a node of average speed, cores, {@code
 *     [horizons]}
 * @param power capacity of the candidates in such cores, milli, {@code [candidates]}: on a slow
 *     node the pod takes more of it
 * @param podSurvival chance that the pod still lives, {@code [horizons]}
 * @param loadSurvival share of today's load that still runs, {@code [horizons]}
 * @param ownerRequestFraction request cores of the pod's owner on each candidate, as a fraction of
 *     its power, {@code [candidates]}
 * @param ratioVariance variance of the owner's usage / request ratio, {@code [horizons]}
 * @param memoryRisk what the pod adds to the cost of memory that is not there, {@code [candidates]}
 * @param memoryRoom such pods that a node is expected to hold until it is sure to evict, infinite
 *     where nothing is reckoned with memory, {@code [candidates]}
 */
public record Forecast(
    double[] horizons,
    double[][] before,
    double[] podCores,
    long[] power,
    double[] podSurvival,
    double[] loadSurvival,
    double[] ownerRequestFraction,
    double[] ratioVariance,
    double[] memoryRisk,
    double[] memoryRoom) {

  /** Bytes on the heap, about. */
  public long bytes() {
    return 8L * (horizons.length + 4) * power.length;
  }
}
