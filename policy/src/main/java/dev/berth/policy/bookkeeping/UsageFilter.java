package dev.berth.policy.bookkeeping;

import dev.berth.policy.bookkeeping.BookkeepingConfig.Part;
import dev.berth.policy.cluster.NodeSample;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Learns owner ratios from node samples alone: a Kalman filter, block-diagonal over owners.
 *
 * <p>One sample of a node is the sum of its pods' usage over the window,
 *
 * <pre>y = overhead + sum_owner X_o (phi(t) . theta_o) + sum_pod x_p f_p + noise</pre>
 *
 * with x_p = request cores of pod p weighted by the part of the window that saw it and X_o their
 * sum over the owner. The innovation is shared out over owners, pods and overhead in proportion to
 * their uncertainty. Correlations between different owners are dropped (they would make the cost
 * quadratic in owners); an owner on several nodes is told apart by its different mixtures there.
 */
final class UsageFilter {
  /** Innovations beyond this many standard deviations are cut: one broken sample must not teach. */
  private static final double OUTLIER = 4;

  /** A sample this near to capacity hides the demand above it. */
  private static final double SATURATED = 0.97;

  private final BookkeepingConfig config;

  UsageFilter(BookkeepingConfig config) {
    this.config = config;
  }

  private static final class Share {
    double cores;
    double[] regressor = {};
    double[] gain = {};
  }

  /** Takes in one sample; the node must know its capacity. Returns the residual left, in cores. */
  double update(NodeBook node, NodeSample sample) {
    double start = sample.windowStart();
    double end = sample.windowEnd();
    double middle = (start + end) / 2;
    Map<OwnerModel, Share> shares = new LinkedHashMap<>();
    double expected = node.overhead;
    double variance = node.overheadVariance + square(0.005 * node.capacity);
    for (List<PodBook> pods : List.of(node.pods, node.departed)) {
      for (PodBook p : pods) {
        double x = p.cores * p.coverage(start, end, config.rampSeconds());
        if (x <= 0) {
          continue;
        }
        Share share = shares.computeIfAbsent(p.owner, o -> new Share());
        share.cores += x;
        expected += x * p.deviation;
        variance += x * x * (p.deviationVariance + square(config.noiseStd() * p.owner.meanRatio()));
      }
    }
    for (Map.Entry<OwnerModel, Share> e : shares.entrySet()) {
      OwnerModel o = e.getKey();
      Share s = e.getValue();
      o.advance(middle);
      s.regressor = new double[o.size];
      s.gain = new double[o.size];
      expected += s.cores * o.ratio(middle, s.regressor);
      for (int i = 0; i < o.size; i++) {
        double sum = 0;
        for (int j = 0; j < o.size; j++) {
          sum += o.covariance[i * o.size + j] * s.regressor[j];
        }
        s.gain[i] = sum * s.cores;
        variance += s.cores * s.regressor[i] * s.gain[i];
      }
    }
    double innovation = sample.cpuCores() - expected;
    boolean hidden = sample.cpuCores() >= SATURATED * node.capacity && innovation < 0;
    if (hidden) {
      return 0;
    }
    double limit = OUTLIER * Math.sqrt(variance);
    double step = Math.max(-limit, Math.min(limit, innovation)) / variance;
    double explained = share(node, start, end, shares, variance, step);
    return innovation - explained;
  }

  private double share(
      NodeBook node,
      double start,
      double end,
      Map<OwnerModel, Share> shares,
      double variance,
      double step) {
    double explained = node.overheadVariance * step;
    node.overhead = Math.max(0, node.overhead + explained);
    node.overheadVariance -= square(node.overheadVariance) / variance;
    if (config.has(Part.PER_POD)) {
      for (List<PodBook> pods : List.of(node.pods, node.departed)) {
        for (PodBook p : pods) {
          double x = p.cores * p.coverage(start, end, config.rampSeconds());
          double gain = p.deviationVariance * x;
          p.deviation += gain * step;
          p.deviationVariance -= gain * gain / variance;
          explained += x * gain * step;
        }
      }
    }
    if (config.has(Part.OWNER_RATIOS)) {
      for (Map.Entry<OwnerModel, Share> e : shares.entrySet()) {
        OwnerModel o = e.getKey();
        Share s = e.getValue();
        for (int i = 0; i < o.size; i++) {
          o.state[i] += s.gain[i] * step;
          explained += s.cores * s.regressor[i] * s.gain[i] * step;
          for (int j = 0; j < o.size; j++) {
            o.covariance[i * o.size + j] -= s.gain[i] * s.gain[j] / variance;
          }
        }
        o.touched();
      }
    }
    return explained;
  }

  private static double square(double x) {
    return x * x;
  }
}
