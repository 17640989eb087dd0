package dev.berth.policy;

import dev.berth.policy.usage.UsageConfig;

/**
 * Ranks the candidates of a decision. Heuristics, predictors and learned agents all stand behind
 * this interface, in the simulator and in the live service alike.
 *
 * <p>Thread rule: one thread at a time, unless an implementation says otherwise.
 */
public interface Policy {

  /** Kebab-case name, as given to {@code --policy}. */
  String name();

  /**
   * Writes one preference per candidate, higher is better, any finite scale. Equal values are ties,
   * which the caller breaks. Must not depend on the order of the candidates.
   *
   * @param preferences output, {@code [candidates]}
   */
  void score(Decision decision, double[] preferences);

  /**
   * How the cluster state is estimated for this policy; the caller builds it from the answer. Only
   * ablations change the base.
   */
  default UsageConfig usageConfig(UsageConfig base) {
    return base;
  }

  /** Whether it reads forecasts; a run of one that does not need learn nothing of usage. */
  default boolean forecasts() {
    return true;
  }
}
