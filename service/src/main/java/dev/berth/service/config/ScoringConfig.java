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
        double minKnown,
    @Doc(
            "The safety dial of a learned policy: the largest misjudgement of a node's usage, as a"
                + " share of the node, that its correction of the base score may stand for. 0 is the"
                + " base alone.")
        double clip,
    @Doc(
            "Share of decisions in which a learned policy may put another good candidate first to"
                + " learn from it: never on a hot node, never for pods of priority 1000 and above, at"
                + " most 120 an hour. 0 never explores.")
        double explore) {

  public ScoringConfig {
    Check.that(!policy.isBlank(), "policy", "the name of a policy", "''");
    Check.positive(fresh, "fresh");
    Check.that(stale.compareTo(fresh) >= 0, "stale", "at least as long as fresh", stale);
    Check.that(minKnown >= 0 && minKnown <= 1, "min-known", "0..1", minKnown);
    Check.that(clip >= 0 && clip <= 1, "clip", "0..1", clip);
    Check.that(explore >= 0 && explore <= 0.5, "explore", "0..0.5", explore);
  }

  static ScoringConfig defaults() {
    return new ScoringConfig("dqn", Duration.ofSeconds(90), Duration.ofMinutes(5), 0.5, 0.01, 0.02);
  }
}
