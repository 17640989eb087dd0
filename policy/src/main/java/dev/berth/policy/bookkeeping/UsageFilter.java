package dev.berth.policy.bookkeeping;

import dev.berth.policy.bookkeeping.BookkeepingConfig.Part;
import dev.berth.policy.cluster.NodeSample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Learns owner ratios from node samples alone, by a Kalman filter. One sample of a node is the sum
 * of its pods' usage over the window,
 *
 * <pre>y = overhead + sum_owner X_o (phi(t) . theta_o) + sum_pod x_p f_p + noise</pre>
 *
 * with x_p = request cores of pod p weighted by the part of the window that saw it and X_o their
 * sum over the owner. The innovation is shared out over owners, pods and overhead in proportion to
 * their uncertainty. Correlations between them are kept while {@link JointCovariance} has room;
 * beyond, an owner is told apart by its different mixtures on different nodes alone.
 */
final class UsageFilter {
  /** Innovations beyond this many standard deviations are cut: one broken sample must not teach. */
  private static final double OUTLIER = 4;

  /** A sample this near to capacity hides the demand above it. */
  private static final double SATURATED = 0.97;

  private final BookkeepingConfig config;
  private final JointCovariance joint = new JointCovariance();

  UsageFilter(BookkeepingConfig config) {
    this.config = config;
  }

  /** A belief's part in one observation. */
  private record Term(Belief belief, double[] regressor) {}

  /** Takes in one sample; the node must know its capacity. Returns the residual left, in cores. */
  double update(NodeBook node, NodeSample sample) {
    List<Term> terms = new ArrayList<>();
    terms.add(new Term(node.overhead, new double[] {1}));
    double noise = pods(node, sample, terms);
    double expected = 0;
    double variance = square(0.005 * node.capacity) + noise;
    for (Term t : terms) {
      if (config.has(Part.JOINT)) {
        joint.admit(t.belief);
      }
    }
    double[] gain = new double[joint.size()];
    List<double[]> gains = new ArrayList<>();
    for (Term t : terms) {
      expected += dot(t.belief.mean, t.regressor);
      boolean member = t.belief.row != Belief.ALONE;
      double[] own = member ? new double[0] : t.belief.times(t.regressor);
      gains.add(own);
      if (member) {
        joint.addGain(t.belief, t.regressor, gain);
      } else {
        variance += dot(own, t.regressor);
      }
    }
    variance += jointly(terms, gain);
    double innovation = sample.cpuCores() - expected;
    if (sample.cpuCores() >= SATURATED * node.capacity && innovation < 0) {
      return 0;
    }
    double limit = OUTLIER * Math.sqrt(variance);
    double step = Math.max(-limit, Math.min(limit, innovation)) / variance;
    joint.learn(gain, step, variance);
    for (int i = 0; i < terms.size(); i++) {
      if (gains.get(i).length > 0) {
        terms.get(i).belief.learn(gains.get(i), step, variance);
      }
    }
    node.overhead.mean[0] = Math.max(0, node.overhead.mean[0]);
    return innovation - step * (variance - noise - square(0.005 * node.capacity));
  }

  /** Variance that the members of the joint belief bring. */
  private static double jointly(List<Term> terms, double[] gain) {
    double sum = 0;
    for (Term t : terms) {
      for (int k = 0; t.belief.row != Belief.ALONE && k < t.regressor.length; k++) {
        sum += t.regressor[k] * gain[t.belief.row + k];
      }
    }
    return Math.max(0, sum);
  }

  /** Adds the terms of pods and owners; returns the variance of the pods' short-lived noise. */
  private double pods(NodeBook node, NodeSample sample, List<Term> terms) {
    double start = sample.windowStart();
    double end = sample.windowEnd();
    double noise = 0;
    Map<OwnerModel, double[]> cores = new LinkedHashMap<>();
    for (List<PodBook> pods : List.of(node.pods, node.departed)) {
      for (PodBook p : pods) {
        double x = p.cores * p.coverage(sample, config);
        if (x > 0) {
          cores.computeIfAbsent(p.owner, o -> new double[1])[0] += x;
          noise += square(x * config.noiseStd() * p.owner.meanRatio());
          if (config.has(Part.PER_POD)) {
            terms.add(new Term(p.deviation, new double[] {x}));
          }
        }
      }
    }
    double middle = (start + end) / 2;
    for (Map.Entry<OwnerModel, double[]> e : cores.entrySet()) {
      OwnerModel o = e.getKey();
      o.advance(middle, joint);
      double[] regressor = new double[o.belief.size()];
      o.regressor(middle, regressor);
      for (int k = 0; k < regressor.length; k++) {
        regressor[k] *= e.getValue()[0];
      }
      // Without learned ratios the owner still explains the sample, but learns nothing from it.
      terms.add(new Term(config.has(Part.OWNER_RATIOS) ? o.belief : o.fixed(), regressor));
    }
    return noise;
  }

  /** A pod can no longer show in any sample; with the last pod of an owner its ties go, too. */
  void forget(PodBook pod) {
    joint.drop(pod.deviation);
    if (pod.owner.pods == 0) {
      joint.drop(pod.owner.belief);
    }
  }

  /** Whether a sample of one node may change what is believed of pods on others. */
  boolean joint() {
    return joint.size() > 0;
  }

  void forget(OwnerModel owner) {
    joint.drop(owner.belief);
  }

  void forget(NodeBook node) {
    joint.drop(node.overhead);
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }

  private static double square(double x) {
    return x * x;
  }
}
