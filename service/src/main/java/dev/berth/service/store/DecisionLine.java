package dev.berth.service.store;

import org.jspecify.annotations.Nullable;

/**
 * A decision as one line among many.
 *
 * @param at seconds since the epoch
 * @param preferred the best-scored candidate, of several the one that the pod went to; null where
 *     it may have gone to one of those that were not kept; the rest as in {@link StoredDecision}
 */
public record DecisionLine(
    String decision,
    double at,
    String pod,
    String owner,
    String mode,
    long modelVersion,
    boolean explored,
    @Nullable String reason,
    int candidates,
    @Nullable String preferred,
    @Nullable String node,
    @Nullable Double reward) {}
