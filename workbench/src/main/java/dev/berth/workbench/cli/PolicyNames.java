package dev.berth.workbench.cli;

import dev.berth.service.model.LearnedModels;
import dev.berth.simulator.oracle.PolicyCatalog;

/** The one list of policies that the command line knows. */
final class PolicyNames {
  private PolicyNames() {}

  /** Heuristics, predictors, oracles and learned models. */
  static PolicyCatalog catalog() {
    return new PolicyCatalog().with(new LearnedModels());
  }
}
