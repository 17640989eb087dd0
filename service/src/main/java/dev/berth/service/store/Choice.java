package dev.berth.service.store;

import org.jspecify.annotations.Nullable;

/**
 * Where a placed pod went, against where it would have gone had Berth alone decided.
 *
 * @param at seconds since the epoch of the decision
 * @param byBerth whether Berth's scores counted
 * @param node where it went
 * @param ours the best-scored candidate, the pod's own node where it is among several; null where
 *     Berth had no opinion
 * @param forecast regret: what {@code node} was expected to cost more than {@code ours}; null where
 *     nothing was forecast
 * @param measured the same by what was measured later; null until it was
 * @param gap by how much {@code node} was fuller than {@code ours} then, share of a node; null
 *     likewise
 */
public record Choice(
    String decision,
    double at,
    String owner,
    boolean byBerth,
    String node,
    @Nullable String ours,
    @Nullable Double forecast,
    @Nullable Double measured,
    @Nullable Double gap) {}
