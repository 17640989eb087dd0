package dev.berth.policy.cluster;

/**
 * GPU columns of the candidates; row i belongs to candidate i.
 *
 * @param models card model of the node, empty where it has none
 * @param freeMilli free milli-GPU of every card, {@code [candidates][cards]}; an empty row for a
 *     CPU-only node
 */
public record GpuColumns(String[] models, int[][] freeMilli) {}
