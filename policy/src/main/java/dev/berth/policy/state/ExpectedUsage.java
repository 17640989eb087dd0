package dev.berth.policy.state;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.ledger.InFlightLedger;
import dev.berth.policy.ledger.PodState;
import dev.berth.policy.usage.OwnerModel;
import dev.berth.policy.usage.OwnerModels;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import java.util.Arrays;

/**
 * The forecast: what the pods on a node, and a new one, will use at each horizon. See {@link
 * ClusterState#expectedCpu} and its neighbours.
 *
 * <p>Thread rule: as {@link ClusterState}.
 */
final class ExpectedUsage {
  private static final double[] NOW = {0};

  /** Seconds by which every scheduler has heard of a pod that another one placed. */
  private static final double HEARD_BY_ALL = 10;

  /** Seconds for which a scheduler's pods are pending to it: the default of its pendingWindow. */
  private static final double PENDING_SECONDS = 60;

  /** Of its capacity, what a node is expected to use at most, however much is requested there. */
  private static final double MOST = 2;

  /** Cores: less is rounding. */
  private static final double ROUNDING = 1e-6;

  // Asked for every node of every decision.
  private final boolean learned;
  private final boolean departures;
  private final boolean hedged;
  private final NodeStates nodes;
  private final OwnerModels owners;
  private final InFlightLedger ledger;
  private final NodeForecasts ahead;
  private final NodeForecasts ofNow;
  private final boolean byOwner;
  private final double[] scratch = new double[OwnerModel.MAX_STATE];

  ExpectedUsage(UsageConfig config, NodeStates nodes, OwnerModels owners, InFlightLedger ledger) {
    learned = config.has(Part.OWNER_RATIOS);
    departures = config.has(Part.DEPARTURES);
    hedged = config.has(Part.HEDGE);
    this.nodes = nodes;
    this.owners = owners;
    this.ledger = ledger;
    ahead = new NodeForecasts(owners, learned);
    ofNow = new NodeForecasts(owners, learned);
    // Else pods count by the shares of their samples' windows, each its own: an ablation.
    byOwner = departures && ledger.on();
  }

  double[][] ofNodes(Candidates candidates, double now, double[] horizons) {
    double clusterRatio = owners.ratio();
    int n = candidates.size();
    double[][] out = new double[horizons.length][n];
    NodeState[] states = nodes.of(candidates);
    int[] at = nodes.rowsOf(candidates);
    NodeRows rows = nodes.rows();
    NodeForecasts forecasts = Arrays.equals(horizons, NOW) ? ofNow : ahead;
    forecasts.begin(now, horizons);
    for (int i = 0; i < n; i++) {
      int row = at[i];
      int start = 0;
      double[] cores;
      if (byOwner) {
        start = forecasts.at(rows, row);
        cores = forecasts.values();
      } else {
        cores = ofEachPod(states[i], forecasts, now, horizons);
      }
      long told = Math.min(candidates.cpuRequestedMilli()[i], candidates.cpuMilli()[i]);
      double unknown = told * 1e-3 - rows.requested[row];
      if (unknown < -ROUNDING) {
        unknown = told < 0 ? 0 : lessThanKnown(unknown, candidates, i, states[i], now);
      }
      double more = rows.slowness[row] * unknown * clusterRatio;
      double capacity = candidates.cpuMilli()[i] / 1000.0;
      if (rows.capacity[row] != capacity) {
        more += NodeState.priorOverhead(capacity) - rows.overhead[row];
      }
      double most = MOST * capacity;
      for (int h = 0; h < out.length; h++) {
        double all = cores[start + h] + more;
        out[h][i] = all < 0 ? 0 : all > most ? most : all; // Math.max costs thrice
      }
    }
    return out;
  }

  /**
   * Request cores, at most 0, by which pods that are known to be here have ended, as the
   * scheduler's sum of requests says. It says nothing where it was cut, at what the node has. Nor
   * must it have heard of pods that another scheduler has just placed.
   *
   * @param unknown the sum less what is known, below 0
   */
  private static double lessThanKnown(
      double unknown, Candidates candidates, int i, NodeState node, double now) {
    if (candidates.cpuRequestedMilli()[i] >= candidates.cpuMilli()[i]) {
      return 0;
    }
    double unheard = node.requestedSince(now - HEARD_BY_ALL);
    double ofOthers = node.requestedSince(now - PENDING_SECONDS) - candidates.pendingCpuMilli()[i];
    return Math.min(0, unknown + Math.max(0, Math.min(unheard, ofOthers)) / 1000);
  }

  /** Mean cores that a node is expected to use in the next seconds, from the pods on it. */
  double ofNode(NodeState node, double now, double seconds) {
    ofNow.begin(now, NOW);
    double cores;
    if (byOwner) {
      int start = ofNow.at(nodes.rows(), node.row);
      cores = ofNow.values()[start];
    } else {
      cores = ofEachPod(node, ofNow, now, NOW)[0];
    }
    cores = Math.max(0, cores - node.slowness.mean() * notYet(node, now, seconds));
    return cores > MOST * node.capacity ? MOST * node.capacity : cores; // not where it is NaN
  }

  /**
   * What pods that were just bound will use but not yet in the next seconds, cores as on a node of
   * average speed. A decision counts them in full: until the pod it places has started, they have,
   * too.
   */
  private double notYet(NodeState node, double now, double seconds) {
    double cores = 0;
    // In the order of binding: all before the first that has started have as well.
    for (int i = node.pods.size() - 1; i >= 0 && ledger.counts(node.last); i--) {
      PodState p = node.pods.get(i);
      double missing = 1 - p.coverage(now, now + seconds);
      if (missing <= 0) {
        break;
      }
      double ratio =
          learned ? Math.max(0, p.owner().ratio(now) + p.deviation().mean()) : owners.ratio();
      cores += missing * p.cores() * ratio;
    }
    return cores;
  }

  /** What a node is expected to use, pod by pod and each by its own window, {@code [horizons]}. */
  private double[] ofEachPod(
      NodeState node, NodeForecasts forecasts, double now, double[] horizons) {
    double[] cores = new double[horizons.length];
    boolean inFlight = ledger.counts(node.last);
    for (PodState p : node.pods) {
      addPod(p, inFlight ? 1 : ledger.seen(p, node.last), now, horizons, cores);
    }
    if (!(inFlight && departures)) {
      for (PodState p : node.departed) {
        addPod(p, ledger.seen(p, node.last), now, horizons, cores);
      }
    }
    forecasts.addNode(nodes.rows(), node.row, cores, 0);
    return cores;
  }

  private void addPod(PodState p, double weight, double now, double[] horizons, double[] sum) {
    double[] owner = p.owner().forecast(now, horizons);
    for (int h = 0; h < sum.length; h++) {
      double ratio = learned ? Math.max(0, owner[h] + p.deviation().mean()) : owners.ratio();
      sum[h] += weight * p.cores() * ratio * owner[sum.length + h];
    }
  }

  double[] ofPod(Pod pod, double now, double[] horizons, double[] survival) {
    double clusterRatio = owners.ratio();
    double[] owner = owners.knownOrNew(pod.owner(), now).forecast(now, horizons);
    double cores = PodState.cores(pod);
    double[] out = new double[horizons.length];
    for (int h = 0; h < out.length; h++) {
      out[h] = cores * (learned ? owner[h] : clusterRatio);
      survival[h] = owner[out.length + h];
    }
    return out;
  }

  double[] ownerVariance(String owner, double now, double[] horizons) {
    double[] variance = new double[horizons.length];
    if (hedged) {
      OwnerModel o = owners.knownOrNew(owner, now);
      double second = Math.floor(now); // as forecasts are
      for (int h = 0; h < variance.length; h++) {
        variance[h] = o.variance(second + horizons[h], scratch);
      }
    }
    return variance;
  }
}
