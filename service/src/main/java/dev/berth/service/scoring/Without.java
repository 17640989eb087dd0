package dev.berth.service.scoring;

/**
 * Where a bound pod would have gone by the other score plugins alone, as its scheduler reckoned.
 *
 * @param node with the greatest weighted sum of their scores; the pod's own where it is among
 *     several
 * @param sum there
 * @param here the sum where the pod went
 * @param ties nodes with the greatest sum
 */
public record Without(String node, long sum, long here, int ties) {}
