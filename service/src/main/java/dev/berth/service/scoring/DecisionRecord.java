package dev.berth.service.scoring;

import org.jspecify.annotations.Nullable;

/**
 * One decision with all that went into it. The arrays are the request's own and are not copied.
 *
 * @param at seconds since the epoch
 * @param base score before the learned correction, {@code [candidates]}, null when the policy has
 *     no such parts
 * @param residual the learned correction, {@code [candidates]}, null likewise
 * @param sampleAge age of each candidate's sample in seconds, NaN where it has none
 */
public record DecisionRecord(
    double at,
    ScoreRequest request,
    ScoreReply reply,
    double @Nullable [] base,
    double @Nullable [] residual,
    double[] sampleAge) {}
