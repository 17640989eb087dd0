package dev.berth.policy.agent;

/**
 * A decision whose reward was measured.
 *
 * @param at when its pod was bound, seconds on the clock of {@link OnlineLearner#advance}
 * @param reward of the chosen candidate, as a difference to the candidates' mean; NaN where only
 *     others could be measured
 * @param overBase the same less the mean reward of the candidates that the base alone would have
 *     put first; NaN where these were not measured
 * @param ranked whether the pod went where the version ranked it first, see {@link Origin}; false
 *     where other scorers or the lot chose
 */
public record Settled(Origin origin, double at, double reward, double overBase, boolean ranked) {}
