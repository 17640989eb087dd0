package dev.berth.service.regret;

import org.jspecify.annotations.Nullable;

/**
 * The real choice against Berth's, over some pods.
 *
 * @param pods placed
 * @param noOpinion of these, pods that Berth had no opinion on; the rest of the figures is without
 *     them
 * @param agreement share that went to a node Berth scored best; null where nothing is known
 * @param forecast regret: what the node a pod got was expected to cost more than Berth's five
 *     minutes later
 * @param measured the same by what both nodes used then
 * @param gap by how much the node a pod got was fuller than Berth's then, share of a node
 */
public record Figures(
    long pods,
    long noOpinion,
    @Nullable Mean agreement,
    @Nullable Mean forecast,
    @Nullable Mean measured,
    @Nullable Mean gap) {}
