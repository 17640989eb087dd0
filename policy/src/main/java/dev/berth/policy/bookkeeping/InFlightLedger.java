package dev.berth.policy.bookkeeping;

import dev.berth.policy.bookkeeping.BookkeepingConfig.Part;
import dev.berth.policy.cluster.NodeSample;

/**
 * What a node's last sample could not see, or saw too much of: pods weighted by the part of the
 * sample's window that saw them, valued at what their owner is known to use.
 *
 * <p>Thread rule: as {@link Bookkeeping}.
 */
final class InFlightLedger {
  private final BookkeepingConfig config;
  private final OwnerBooks owners;
  private final double[] scratch = new double[OwnerModel.MOST_STATE];

  InFlightLedger(BookkeepingConfig config, OwnerBooks owners) {
    this.config = config;
    this.owners = owners;
  }

  /** Whether what changed since the last sample counts. */
  boolean counts(NodeBook node) {
    return config.has(Part.LEDGER) || node.last == null;
  }

  /** Request cores of an owner's pods on a node. */
  double ownerCores(NodeBook node, OwnerModel owner) {
    if (counts(node)) {
      return node.groups().cores(owner);
    }
    double cores = 0;
    for (PodBook p : node.pods) {
      cores += p.owner == owner ? p.cores * seen(p, node) : 0;
    }
    return cores;
  }

  /** Share of the node's last sample that saw the pod, 0 without a sample. */
  double seen(PodBook p, NodeBook node) {
    NodeSample last = node.last;
    return last == null ? 0 : p.coverage(last, config);
  }

  /** Signed ledger of a node, cores; see {@link NodeColumns#ledgerCpu}. */
  double cores(NodeBook node, double now) {
    NodeSample last = node.last;
    if (!config.has(Part.LEDGER) || last == null) {
      return 0;
    }
    double sum = 0;
    // In the order of binding: all before the first that the whole window saw were seen as well.
    for (int i = node.pods.size() - 1; i >= 0; i--) {
      PodBook p = node.pods.get(i);
      double unseen = 1 - p.coverage(last, config);
      if (unseen <= 0) {
        break;
      }
      sum += unseen * p.cores * ratio(p, now);
    }
    if (config.has(Part.DEPARTURES)) {
      for (PodBook p : node.departed) {
        sum -= p.coverage(last, config) * p.cores * ratio(p, now);
      }
    }
    return sum;
  }

  /** See {@link Bookkeeping#measuredCpuWithout}. */
  double measuredWithout(NodeBook node, long order, double now, double window) {
    NodeSample last = node.fresh(now, config);
    if (last == null) {
      return Double.NaN;
    }
    double later = 0;
    double from = last.windowEnd() - Math.min(window, NodeBook.MEAN_SECONDS);
    for (PodBook p : node.pods) {
      later += laterCores(p, order, from, last.windowEnd());
    }
    for (PodBook p : node.departed) {
      later += laterCores(p, order, from, last.windowEnd());
    }
    return Math.max(0, node.meanCpu(from) - later);
  }

  private double laterCores(PodBook p, long order, double from, double to) {
    return p.order >= order ? p.coverage(from, to) * p.cores * ratio(p, (from + to) / 2) : 0;
  }

  private double ratio(PodBook p, double now) {
    return config.has(Part.OWNER_RATIOS)
        ? p.owner.ratio(now, scratch) + p.deviation.mean[0]
        : owners.ratio();
  }
}
