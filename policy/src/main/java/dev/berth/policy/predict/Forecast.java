package dev.berth.policy.predict;

/**
 * Node usage ahead, per horizon and candidate.
 *
 * @param horizons seconds after now, {@code [horizons]}
 * @param before expected CPU without the pod, as a fraction of the node, {@code
 *     [horizons][candidates]}
 * @param podCores expected CPU of the pod while it lives, cores, {@code [horizons]}
 * @param podSurvival chance that the pod still lives, {@code [horizons]}
 */
public record Forecast(
    double[] horizons, double[][] before, double[] podCores, double[] podSurvival) {}
