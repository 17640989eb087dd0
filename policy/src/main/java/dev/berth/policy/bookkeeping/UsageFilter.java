package dev.berth.policy.bookkeeping;

import dev.berth.policy.bookkeeping.BookkeepingConfig.Part;
import dev.berth.policy.cluster.NodeSample;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Learns owner ratios from node samples alone, by a Kalman filter. One sample of a node is the sum
 * of its pods' usage over the window,
 *
 * <pre>y = overhead + sum_owner X_o (phi(t) . theta_o) + sum_pod x_p f_p + noise</pre>
 *
 * with x_p = request cores of pod p weighted by the part of the window that saw it and X_o their
 * sum over the owner. The innovation is shared out over owners, pods and overhead in proportion to
 * their uncertainty; a surprising one makes bursts uncertain first. Correlations between them are
 * kept while {@link JointCovariance} has room; beyond, an owner is told apart by its different
 * mixtures on different nodes alone.
 */
final class UsageFilter {
  /** Innovations beyond this many standard deviations are cut: one broken sample must not teach. */
  private static final double OUTLIER = 4;

  /** Beyond this many, they are not noise but a burst that began or ended. */
  private static final double SURPRISE = 1.75;

  /**
   * Short-lived noise of one pod's usage, relative to the ratio; larger than what is measured, as
   * it outlives a sample and consecutive samples share it.
   */
  private static final double NOISE_STD = 0.2;

  /** Standard deviation of what a node's meter shows, as a fraction of the node. */
  private static final double METER_ERROR = 0.005;

  /** A sample this near to capacity hides the demand above it. */
  private static final double SATURATED = 0.97;

  private final BookkeepingConfig config;
  private final JointCovariance joint = new JointCovariance();

  UsageFilter(BookkeepingConfig config) {
    this.config = config;
  }

  /** A belief's part in one observation; the owner whose belief it is, if it is one that learns. */
  private record Term(Belief belief, double[] regressor, @Nullable OwnerModel owner) {
    /** Request cores at work: the regressor of the mean. */
    double cores() {
      return regressor[0];
    }
  }

  /** What the beliefs expect of one sample: its variance, and the gain of everything known. */
  private record Outlook(double expected, double variance, double[] joint, List<double[]> alone) {}

  /** Takes in one sample; the node must know its capacity. Returns the residual left, in cores. */
  double update(NodeBook node, NodeSample sample) {
    List<Term> terms = new ArrayList<>();
    terms.add(new Term(node.overhead, new double[] {1}, null));
    double noise = pods(node, sample, terms) + square(METER_ERROR * node.capacity);
    for (Term t : terms) {
      if (config.has(Part.JOINT)) {
        joint.admit(t.belief);
      }
    }
    Outlook outlook = outlook(terms, noise);
    double innovation = sample.cpuCores() - outlook.expected;
    if (sample.cpuCores() >= SATURATED * node.capacity && innovation < 0) {
      return 0;
    }
    double missing = square(innovation / SURPRISE) - outlook.variance;
    if (missing > 0 && widen(terms, missing)) {
      outlook = outlook(terms, noise);
    }
    double limit = OUTLIER * Math.sqrt(outlook.variance);
    double step = Math.max(-limit, Math.min(limit, innovation)) / outlook.variance;
    joint.learn(outlook.joint, step, outlook.variance);
    for (int i = 0; i < terms.size(); i++) {
      if (outlook.alone.get(i).length > 0) {
        terms.get(i).belief.learn(outlook.alone.get(i), step, outlook.variance);
      }
    }
    node.overhead.mean[0] = Math.max(0, node.overhead.mean[0]);
    return innovation - step * (outlook.variance - noise);
  }

  private Outlook outlook(List<Term> terms, double noise) {
    double expected = 0;
    double variance = noise;
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
    return new Outlook(expected, variance + jointly(terms, gain), gain, gains);
  }

  /**
   * A surprise: some owner's burst has begun or ended, and bursts jump where the beliefs only
   * drift. The owners' excesses become uncertain enough to make the sample plausible, each by its
   * share of the variance that bursts bring to this node.
   *
   * @param missing variance, cores squared
   * @return whether any owner here bursts
   */
  private boolean widen(List<Term> terms, double missing) {
    double bursts = 0;
    for (Term t : terms) {
      bursts += t.owner == null ? 0 : square(t.cores()) * t.owner.excessVariance();
    }
    for (Term t : terms) {
      if (t.owner != null && bursts > 0) {
        t.owner.widenExcess(missing / bursts, joint);
      }
    }
    return bursts > 0;
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
          noise += square(x * NOISE_STD * p.owner.meanRatio());
          if (config.has(Part.PER_POD)) {
            terms.add(new Term(p.deviation, new double[] {x}, null));
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
      boolean learns = config.has(Part.OWNER_RATIOS);
      terms.add(new Term(learns ? o.belief : o.fixed(), regressor, learns ? o : null));
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
