package dev.berth.service;

import dev.berth.policy.Decision;
import dev.berth.policy.Policy;
import dev.berth.policy.cluster.Candidates;

/** Kubernetes' least-allocated formula, until the policies land. */
final class LeastRequested implements Policy {
  @Override
  public String name() {
    return "least-requested";
  }

  @Override
  public void score(Decision decision, double[] preferences) {
    Candidates c = decision.candidates();
    for (int i = 0; i < preferences.length; i++) {
      preferences[i] =
          1
              - (double) (c.cpuRequestedMilli()[i] + decision.pod().cpuMilli())
                  / Math.max(1, c.cpuMilli()[i]);
    }
  }
}
