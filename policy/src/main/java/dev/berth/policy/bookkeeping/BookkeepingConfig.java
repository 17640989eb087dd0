package dev.berth.policy.bookkeeping;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Settings of the bookkeeping. Times are seconds; ratios are usage / request.
 *
 * @param daySeconds period of the time-of-day profile; a simulation compresses it
 * @param harmonics sine and cosine pairs of the time-of-day profile, 0..3
 * @param priorRatio ratio expected of a cluster nothing is known of
 * @param priorRatioStd how far a new owner may lie from the cluster's mean ratio
 * @param harmonicStd expected height of the time-of-day harmonics, relative to the ratio
 * @param excessStd height of an owner's passing excess (bursts) before anything is known of it,
 *     relative to the ratio
 * @param excessHalfLife how fast an excess passes
 * @param driftHalfLife how fast old evidence about an owner's mean fades
 * @param podStd how far a pod may lie from its owner, relative to the ratio
 * @param noiseStd short-lived noise of one pod's usage, relative to the ratio; larger than what is
 *     measured, as it outlives a sample and consecutive samples share it
 * @param rampSeconds a new pod reaches full usage after about this long
 * @param overheadFraction CPU that a node spends on itself, as a fraction of its capacity
 * @param residualWeight share of a node's unexplained residual that a forecast of now keeps
 * @param residualHalfLife how fast the residual passes
 * @param agingAfter age of a sample's window end from which it is {@link SampleState#AGING}
 * @param staleAfter age from which it is {@link SampleState#STALE}
 * @param without parts switched off, for ablations
 */
public record BookkeepingConfig(
    double daySeconds,
    int harmonics,
    double priorRatio,
    double priorRatioStd,
    double harmonicStd,
    double excessStd,
    double excessHalfLife,
    double driftHalfLife,
    double podStd,
    double noiseStd,
    double rampSeconds,
    double overheadFraction,
    double residualWeight,
    double residualHalfLife,
    double agingAfter,
    double staleAfter,
    Set<Part> without) {

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
    /** Correlations between owners, pods and nodes; without them each is believed in apart. */
    JOINT,
    /** Owners' shared ups and downs; without it replicas may pile up on one node. */
    HEDGE,
    /** Learned lifetimes; without them every pod stays. */
    LIFETIME,
    /** Node samples; without them the scheduler's own bookkeeping is all there is. */
    SAMPLES
  }

  public static final BookkeepingConfig DEFAULT =
      new BookkeepingConfig(
          86_400, 2, 0.6, 0.35, 0.3, 0.35, 180, 6 * 3600, 0.18, 0.2, 30, 0.02, 0.5, 600, 90, 300,
          Set.of());

  public BookkeepingConfig {
    positive(daySeconds, "daySeconds");
    positive(excessHalfLife, "excessHalfLife");
    positive(driftHalfLife, "driftHalfLife");
    positive(residualHalfLife, "residualHalfLife");
    if (harmonics < 0 || harmonics > 3) {
      throw new IllegalArgumentException("harmonics must be 0..3, got " + harmonics);
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

  public BookkeepingConfig withDaySeconds(double seconds) {
    return copy(seconds, agingAfter, staleAfter, without);
  }

  /** Staleness limits that fit a scrape interval: aging after 2.5 scrapes, stale after 10. */
  public BookkeepingConfig withScrapeInterval(double seconds) {
    return withAges(2.5 * seconds, 10 * seconds);
  }

  /** Samples are aging and stale from these ages on, in seconds. */
  public BookkeepingConfig withAges(double aging, double stale) {
    return copy(daySeconds, aging, stale, without);
  }

  public BookkeepingConfig without(Part part) {
    Set<Part> parts = EnumSet.of(part);
    parts.addAll(without);
    return copy(daySeconds, agingAfter, staleAfter, parts);
  }

  private BookkeepingConfig copy(double day, double aging, double stale, Set<Part> parts) {
    return new BookkeepingConfig(
        day,
        harmonics,
        priorRatio,
        priorRatioStd,
        harmonicStd,
        excessStd,
        excessHalfLife,
        driftHalfLife,
        podStd,
        noiseStd,
        rampSeconds,
        overheadFraction,
        residualWeight,
        residualHalfLife,
        aging,
        stale,
        parts);
  }

  private static void positive(double value, String key) {
    if (!(value > 0)) {
      throw new IllegalArgumentException(
          key + " must be a positive number of seconds, got " + value);
    }
  }
}
