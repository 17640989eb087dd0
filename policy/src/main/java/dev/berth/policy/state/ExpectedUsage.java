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
  /** Share of a node's unexplained residual that a forecast of now keeps. */
  private static final double RESIDUAL_WEIGHT = 0.5;

  /** Seconds in which half of the residual passes. */
  private static final double RESIDUAL_HALF_LIFE = 600;

  private static final double[] NOW = {0};

  // Asked for every node of every decision.
  private final boolean learned;
  private final boolean departures;
  private final boolean hedged;
  private final NodeStates nodes;
  private final OwnerModels owners;
  private final InFlightLedger ledger;
  private final ExpectedPods ahead;
  private final ExpectedPods ofNow;
  private final boolean byOwner;
  private final double[] scratch = new double[OwnerModel.MAX_STATE];

  ExpectedUsage(UsageConfig config, NodeStates nodes, OwnerModels owners, InFlightLedger ledger) {
    learned = config.has(Part.OWNER_RATIOS);
    departures = config.has(Part.DEPARTURES);
    hedged = config.has(Part.HEDGE);
    this.nodes = nodes;
    this.owners = owners;
    this.ledger = ledger;
    ahead = new ExpectedPods(owners, learned);
    ofNow = new ExpectedPods(owners, learned);
    // Else pods count by the shares of their samples' windows, each its own: an ablation.
    byOwner = departures && ledger.on();
  }

  double[][] ofNodes(Candidates candidates, double now, double[] horizons) {
    double clusterRatio = owners.ratio();
    int n = candidates.size();
    double[][] out = new double[horizons.length][n];
    double[] keep = new double[horizons.length];
    for (int h = 0; h < keep.length; h++) {
      keep[h] = RESIDUAL_WEIGHT * residualKept(horizons[h]);
    }
    NodeState[] states = nodes.of(candidates);
    int[] at = nodes.rowsOf(candidates);
    NodeRows rows = nodes.rows();
    ExpectedPods pods = Arrays.equals(horizons, NOW) ? ofNow : ahead;
    pods.begin(now, horizons);
    double sampledAt = Double.NaN;
    double kept = 0; // of a residual, since then: nodes are sampled together, and exp is dear
    for (int i = 0; i < n; i++) {
      int row = at[i];
      double capacity = candidates.cpuMilli()[i] / 1000.0;
      int start = byOwner ? pods.at(rows, row) : 0;
      double[] sums = byOwner ? pods.sums() : ofPods(states[i], pods, now, horizons);
      double unknown = candidates.cpuRequestedMilli()[i] / 1000.0 - rows.requested[row];
      if (rows.sampledAt[row] != sampledAt) { // true where it is NaN
        sampledAt = rows.sampledAt[row];
        kept = Double.isNaN(sampledAt) ? 0 : residualKept(now - sampledAt);
      }
      double residual = rows.residual[row] * kept;
      double overhead =
          rows.capacity[row] == capacity ? rows.overhead[row] : NodeState.priorOverhead(capacity);
      for (int h = 0; h < keep.length; h++) {
        double cores = rows.slowness[row] * (sums[start + h] + unknown * clusterRatio);
        double all = overhead + cores + keep[h] * residual;
        out[h][i] = all < 0 ? 0 : all; // Math.max costs thrice
      }
    }
    return out;
  }

  /** Mean cores that a node is expected to use in the next seconds, from the pods on it. */
  double ofNode(NodeState node, double now, double seconds) {
    ofNow.begin(now, NOW);
    double[] sum = ofPods(node, ofNow, now, NOW);
    double residual =
        node.last == null ? 0 : node.residual * residualKept(now - node.last.windowEnd());
    double cores = node.slowness.mean() * (sum[0] - notYet(node, now, seconds));
    return Math.max(0, node.overhead.mean() + cores + RESIDUAL_WEIGHT * residual);
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

  /** Share of an unexplained residual that is left after some seconds. */
  private double residualKept(double seconds) {
    return Math.exp(-Math.log(2) * seconds / RESIDUAL_HALF_LIFE);
  }

  /** A node's pods added up, as on a node of average speed, {@code [horizons]}. */
  private double[] ofPods(NodeState node, ExpectedPods kept, double now, double[] horizons) {
    double[] sum = new double[horizons.length];
    boolean inFlight = ledger.counts(node.last);
    if (inFlight) {
      int start = kept.at(nodes.rows(), node.row);
      System.arraycopy(kept.sums(), start, sum, 0, sum.length);
    } else {
      for (PodState p : node.pods) {
        addPod(p, ledger.seen(p, node.last), now, horizons, sum);
      }
    }
    if (!(inFlight && departures)) {
      for (PodState p : node.departed) {
        addPod(p, ledger.seen(p, node.last), now, horizons, sum);
      }
    }
    return sum;
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
      for (int h = 0; h < variance.length; h++) {
        variance[h] = o.variance(now + horizons[h], scratch);
      }
    }
    return variance;
  }
}
