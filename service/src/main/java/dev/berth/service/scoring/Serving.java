package dev.berth.service.scoring;

import dev.berth.policy.Policy;
import dev.berth.policy.evidence.Owners;
import org.jspecify.annotations.Nullable;

/**
 * What scores at present; replaced as a whole when another model is to serve.
 *
 * @param modelVersion 0 for a policy that does not learn
 * @param trial what serves in its stead for half of the owners; null for none
 * @param arm whether it has its turn in an experiment: versions that are compared for their own
 *     sake serve at the same time, and one that has the cluster to itself says nothing of another
 */
public record Serving(Policy policy, long modelVersion, @Nullable Serving trial, boolean arm) {

  public Serving(Policy policy, long modelVersion) {
    this(policy, modelVersion, null);
  }

  public Serving(Policy policy, long modelVersion, @Nullable Serving trial) {
    this(policy, modelVersion, trial, false);
  }

  /** The same as an arm of an experiment. */
  public Serving asArm() {
    return new Serving(policy, modelVersion, trial, true);
  }

  /** What scores an owner's pods: always the same as long as the same two versions serve. */
  Serving of(String owner) {
    return trial != null && Owners.meets(owner, trial.modelVersion) ? trial : this;
  }
}
