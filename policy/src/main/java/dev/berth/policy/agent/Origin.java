package dev.berth.policy.agent;

import dev.berth.policy.cluster.Pod;

/**
 * Whose decision it was, and for whom.
 *
 * @param decision its id
 * @param owner of the pod
 * @param version of the model that ranked the candidates; 0 for none
 * @param counted whether the pod was meant to go where that version ranked it first: neither a
 *     shadow's decision nor an explored one, nor one whose correction was lowered, nor of a version
 *     that has its turn in an experiment
 */
public record Origin(String decision, String owner, long version, boolean counted) {

  /** A decision that nobody compares versions by. */
  static Origin of(Pod pod) {
    return new Origin(pod.uid(), pod.owner(), 0, false);
  }
}
