package dev.berth.service.scoring;

/**
 * What a pod would get on every node, for a scheduler that places many alike pods by it before it
 * asks again.
 *
 * @param preferences greater is better, comparable within this ranking, {@code [nodes]}; NaN where
 *     nothing can be said
 * @param drops by how much each falls with one more such pod on its node, {@code [nodes]}
 * @param instance of the service
 */
public record NodeRanking(String decision, double[] preferences, double[] drops, String instance) {}
