package dev.berth.service.config;

import java.time.Duration;

/** How candidates are scored. */
public record ScoringConfig(
    @Doc("Policy that scores; an unknown name is answered with the list of all.") String policy,
    @Doc("A sample up to this age is fresh.") Duration fresh,
    @Doc("A sample older than this is stale: the node counts as unknown.") Duration stale,
    @Doc(
            "Share of the candidates that needs a usable sample, once any has one; below it the"
                + " answer is neutral and other plugins decide.")
        double minKnown) {

  public ScoringConfig {
    Check.that(!policy.isBlank(), "policy", "the name of a policy", "''");
    Check.positive(fresh, "fresh");
    Check.that(stale.compareTo(fresh) >= 0, "stale", "at least as long as fresh", stale);
    Check.that(minKnown >= 0 && minKnown <= 1, "min-known", "0..1", minKnown);
  }

  static ScoringConfig defaults() {
    return new ScoringConfig(
        "predict-then-greedy", Duration.ofSeconds(90), Duration.ofMinutes(5), 0.5);
  }
}
