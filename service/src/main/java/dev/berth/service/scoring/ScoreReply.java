package dev.berth.service.scoring;

import org.jspecify.annotations.Nullable;

/**
 * The answer.
 *
 * @param scores 0..100 in request order, best is 100
 * @param policy name of the policy that scored; {@code neutral} when too little is known
 * @param modelVersion version of the learned model, 0 for a policy that does not learn
 * @param basis model version and metric snapshot the scores rest on: equal basis, equal scores
 * @param instance changes when the service restarts; the plugin then sends the full list of pods
 * @param propensity probability with which a best-scored candidate was going to be preferred
 * @param explored whether the preferred candidate was drawn for the sake of learning
 * @param gpuCards cards to take per candidate, null when the pod asks for none
 * @param reason why the answer is neutral, null when it is not
 */
public record ScoreReply(
    String decision,
    int[] scores,
    String policy,
    Mode mode,
    long modelVersion,
    String basis,
    String instance,
    double propensity,
    boolean explored,
    int @Nullable [][] gpuCards,
    @Nullable String reason) {}
