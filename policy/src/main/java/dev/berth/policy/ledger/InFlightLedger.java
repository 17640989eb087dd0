package dev.berth.policy.ledger;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.usage.OwnerModels;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a node's last sample could not see, or saw too much of: pods weighted by the part of the
 * sample's window that saw them, valued at what their owner is known to use.
 *
 * <p>Signed: arrivals that the window did not see count, departures that it still saw are taken
 * off. A ledger that only adds loses to the default profile on short jobs, and without one every
 * load-aware scorer herds: each decision until the next scrape meets the same idle node.
 *
 * <p>Lists of pods are in the order of binding.
 *
 * <p>Thread rule: one owner; callers serialise access.
 */
public final class InFlightLedger {
  private final UsageConfig config;
  private final boolean on;
  private final OwnerModels owners;

  public InFlightLedger(UsageConfig config, OwnerModels owners) {
    this.config = config;
    on = config.has(Part.LEDGER);
    this.owners = owners;
  }

  /** Whether what changes between samples counts at all. */
  public boolean on() {
    return on;
  }

  /** Whether what changed since the last sample counts. */
  public boolean counts(@Nullable NodeSample last) {
    return on || last == null;
  }

  /** Share of a node's last sample that saw the pod, 0 without a sample. */
  public double seen(PodState p, @Nullable NodeSample last) {
    return last == null ? 0 : p.coverage(last, config);
  }

  /** Signed ledger of a node, cores as on one of average speed; 0 without a sample. */
  public double cores(
      List<PodState> pods, List<PodState> departed, @Nullable NodeSample last, double now) {
    if (!on || last == null) {
      return 0;
    }
    double sum = 0;
    // In the order of binding: all before the first that the whole window saw were seen as well.
    for (int i = pods.size() - 1; i >= 0; i--) {
      PodState p = pods.get(i);
      double unseen = 1 - p.coverage(last, config);
      if (unseen <= 0) {
        break;
      }
      sum += unseen * p.cores() * ratio(p, now);
    }
    if (config.has(Part.DEPARTURES)) {
      for (PodState p : departed) {
        sum -= p.coverage(last, config) * p.cores() * ratio(p, now);
      }
    }
    return sum;
  }

  /**
   * Mean CPU from {@code from} to {@code to} of the pods bound after a decision, cores as on a node
   * of average speed.
   *
   * @param order number of binds at that decision
   */
  public double boundLater(
      List<PodState> pods, List<PodState> departed, long order, double from, double to) {
    double later = 0;
    for (List<PodState> list : List.of(pods, departed)) {
      for (PodState p : list) {
        if (p.order() >= order) {
          later += p.coverage(from, to) * p.cores() * ratio(p, (from + to) / 2);
        }
      }
    }
    return later;
  }

  private double ratio(PodState p, double now) {
    return config.has(Part.OWNER_RATIOS)
        ? p.owner().ratio(now) + p.deviation().mean()
        : owners.ratio();
  }
}
