package dev.berth.policy.usage;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What differs between clusters, simulations and ablations. Times are seconds.
 *
 * @param daySeconds period of the time-of-day profile; a simulation compresses it
 * @param agingAfter age of a sample's window end from which it is aging: one or more scrapes are
 *     missing
 * @param staleAfter age from which it is stale: too old to steer by
 * @param without parts switched off, for ablations
 */
public record UsageConfig(
    double daySeconds, double agingAfter, double staleAfter, Set<Part> without) {

  /** Parts that an ablation can take away. */
  public enum Part {
    /** In-flight accounting: what changed on a node since its sample's window. */
    LEDGER,
    /** The departures in the ledger; without them it only adds. */
    DEPARTURES,
    /** Shares of the sample's window; without them a pod was in all of it or in none. */
    WINDOW,
    /** Learned owner ratios; without them one ratio holds for all. */
    OWNER_RATIOS,
    /** The daily profile of an owner. */
    TIME_OF_DAY,
    /** Passing excess (bursts) of an owner. */
    EXCESS,
    /** What sets a pod apart from its owner. */
    PER_POD,
    /** Samples of pods, where there are any; without them nodes' tell all. */
    POD_SAMPLES,
    /** Correlations between owners, pods and nodes; without them each is believed in apart. */
    JOINT,
    /** Owners' shared ups and downs; without it replicas may pile up on one node. */
    HEDGE,
    /** Speeds of nodes; without them all are taken for equally fast. */
    NODE_SPEED,
    /** Memory of nodes; without it only the scheduler keeps them from filling up. */
    MEMORY,
    /** Learned lifetimes; without them every pod stays. */
    LIFETIME,
    /** Node samples; without them the scheduler's own bookkeeping is all there is. */
    SAMPLES
  }

  public static final UsageConfig DEFAULT = new UsageConfig(86_400, 90, 300, Set.of());

  public UsageConfig {
    if (!(daySeconds > 0)) {
      throw new IllegalArgumentException(
          "daySeconds must be a positive number of seconds, got " + daySeconds);
    }
    if (!(agingAfter > 0 && staleAfter >= agingAfter)) {
      throw new IllegalArgumentException(
          "need 0 < agingAfter <= staleAfter, got " + agingAfter + " and " + staleAfter);
    }
    EnumSet<Part> parts = EnumSet.noneOf(Part.class); // asked per node and decision: a bit test
    parts.addAll(without);
    without = Collections.unmodifiableSet(parts);
  }

  public boolean has(Part part) {
    return !without.contains(part);
  }

  public UsageConfig withDaySeconds(double seconds) {
    return new UsageConfig(seconds, agingAfter, staleAfter, without);
  }

  /** Staleness limits that fit a scrape interval: aging after 2.5 scrapes, stale after 10. */
  public UsageConfig withScrapeInterval(double seconds) {
    return withAges(2.5 * seconds, 10 * seconds);
  }

  /** Samples are aging and stale from these ages on, in seconds. */
  public UsageConfig withAges(double aging, double stale) {
    return new UsageConfig(daySeconds, aging, stale, without);
  }

  public UsageConfig without(Part part) {
    Set<Part> parts = EnumSet.of(part);
    parts.addAll(without);
    return new UsageConfig(daySeconds, agingAfter, staleAfter, parts);
  }
}
