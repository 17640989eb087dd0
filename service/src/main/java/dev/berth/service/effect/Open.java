package dev.berth.service.effect;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;

/**
 * A decision whose pod has no node yet, as far as the stock scheduler would have needed it.
 *
 * @param ownerPods pods of the pod's owner on each candidate, {@code [candidates]}
 * @param byBerth whether Berth's scores counted
 */
record Open(String decision, Pod pod, Candidates candidates, int[] ownerPods, boolean byBerth) {
  private static final int CANDIDATE_BYTES = 100;
  private static final int OWN_BYTES = 1_000;

  long bytes() {
    return OWN_BYTES + (long) CANDIDATE_BYTES * candidates.size();
  }
}
