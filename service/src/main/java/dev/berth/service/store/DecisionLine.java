package dev.berth.service.store;

import org.jspecify.annotations.Nullable;

/**
 * A decision as one line among many.
 *
 * @param at seconds since the epoch
 * @param preferred the best-scored candidate
 * @param node where the pod went, null until its outcome arrived
 * @param reward what it turned out to be worth, null until measured
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
