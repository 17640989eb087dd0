package dev.berth.policy.predict;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageFilter;
import java.util.HashMap;
import java.util.Map;

/**
 * Holds what is expected of a node now against the node's next sample: the error that every
 * decision begins with, seen within one scrape. What is kept when a sample comes in is compared
 * with the one after it, less what later binds brought.
 *
 * <p>Errors are told apart by how long ago a pod was last bound anywhere: while pods are released
 * the ledger carries the forecast, afterwards the samples do.
 *
 * <p>Thread rule: reads the cluster state, so its owner's lock must be held around every method.
 */
public final class NowCheck {
  /** Upper end, in seconds, of what counts as just after a bind. */
  public static final double JUST_BOUND_SECONDS = 15;

  /** The lock is held meanwhile: of a larger cluster the first nodes that come are looked at. */
  private static final int MAX_NODES = 200;

  private static final double STALE_SECONDS = 600;

  private final double halfLife;
  private final Map<String, Kept> waiting = new HashMap<>();
  private final ForecastErrors all = new ForecastErrors();
  private final ForecastErrors justBound = new ForecastErrors();
  private final LearnedSpread spread;
  private final LearnedSpread justBoundSpread;
  private long binds;
  private double boundAt = Double.NEGATIVE_INFINITY;
  private double comparedAt;
  private double forgotAt = Double.NEGATIVE_INFINITY;

  private Totals totals = Totals.NONE;

  /**
   * All since the start, none of them faded.
   *
   * @param absolute sum of the errors' sizes, each a fraction of its node's CPU
   */
  public record Totals(long compared, double absolute) {
    public static final Totals NONE = new Totals(0, 0);
  }

  private record Kept(
      double windowEnd,
      double expected,
      long binds,
      boolean justBound,
      double spread,
      double justBoundSpread) {}

  /**
   * @param prior standard deviation that a forecast states before anything is known, as a fraction
   *     of the node
   * @param halfLife seconds after which an outcome counts half; infinite for a run as a whole
   */
  public NowCheck(double prior, double halfLife) {
    this.halfLife = halfLife;
    this.spread = new LearnedSpread(prior);
    this.justBoundSpread = new LearnedSpread(prior);
  }

  /**
   * A sample has been taken in.
   *
   * @param capacity cores of the node; not positive or NaN while nobody knows
   */
  public void sampled(NodeSample sample, double capacity, double now, ClusterState state) {
    if (state.binds() != binds) {
      binds = state.binds();
      boundAt = now;
    }
    if (waiting.size() >= MAX_NODES && now - forgotAt >= STALE_SECONDS) { // all may have left
      forgotAt = now;
      waiting.values().removeIf(k -> k.windowEnd() < now - STALE_SECONDS);
    }
    if (Double.isNaN(sample.cpuCores())
        || !(capacity > 0)
        || (waiting.size() >= MAX_NODES && !waiting.containsKey(sample.node()))) {
      return;
    }
    Kept kept = waiting.get(sample.node());
    if (kept != null && sample.windowEnd() <= kept.windowEnd()) {
      return;
    }
    double window = sample.windowEnd() - sample.windowStart();
    boolean next = kept != null && sample.windowStart() >= kept.windowEnd() - 0.1 * window;
    if (kept != null && next && !UsageFilter.saturated(sample.cpuCores(), capacity)) {
      double used = state.measuredCpuWithout(sample.node(), kept.binds(), now, window);
      if (!Double.isNaN(used)) {
        compare(used / capacity, kept, now);
      }
    }
    if (kept == null || next) {
      double expected = state.expectedCpu(sample.node(), now, window) / capacity;
      waiting.put(
          sample.node(),
          new Kept(
              sample.windowEnd(),
              expected,
              binds,
              now - boundAt < JUST_BOUND_SECONDS,
              spread.spread(expected),
              justBoundSpread.spread(expected)));
    }
  }

  private void compare(double used, Kept kept, double now) {
    double error = used - kept.expected();
    double fade = Math.pow(0.5, Math.max(0, now - comparedAt) / halfLife);
    comparedAt = Math.max(comparedAt, now);
    all.fade(fade);
    justBound.fade(fade);
    all.add(error, kept.spread());
    totals = new Totals(totals.compared() + 1, totals.absolute() + Math.abs(error));
    spread.add(error, kept.expected(), now);
    if (kept.justBound()) {
      justBound.add(error, kept.justBoundSpread());
      justBoundSpread.add(error, kept.expected(), now);
    }
  }

  public Totals totals() {
    return totals;
  }

  /** Every comparison. */
  public ForecastErrors all() {
    return all;
  }

  /** Those whose forecast was made within {@link #JUST_BOUND_SECONDS} of a bind. */
  public ForecastErrors justBound() {
    return justBound;
  }
}
