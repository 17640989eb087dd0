package dev.berth.policy.usage;

import dev.berth.policy.usage.UsageConfig.Part;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/*
 * A Kalman filter that learns what owners use, from node samples alone where there is nothing else.
 *
 * Nobody measures an owner. Prometheus knows the CPU of whole nodes, the scheduler knows which pods
 * sit where; usage by owner has to be inferred from sums. The state x is made of four kinds of
 * blocks, each a Gaussian estimate: per owner [mean ratio, harmonics of the day, excess] (the ratio
 * is usage / request, see OwnerModel); per pod its deviation from the owner's ratio; per node its
 * overhead in cores, and its slowness: what pods take of it, against a node of average speed.
 *
 * Process. Between samples the variances of an owner's mean and of a node's slowness grow back
 * towards their prior (half of it in six hours: old evidence is forgotten), the excess is a
 * first-order autoregression (half of it passes in three minutes, its stationary variance learned
 * per owner: half of all owners never burst), harmonics, deviations and overhead stand still. Owners are predicted to a sample's time when it
 * comes, each on its own clock; out-of-order samples do not turn it back.
 *
 * Measurement. One sample of a node is the mean over its window of the sum of what runs there,
 *
 *   y = overhead + s (sum_owner X_o (phi(t) . theta_o) + sum_pod x_p d_p) + v,   v ~ N(0, R)
 *
 * with s the node's slowness, x_p the pod's request cores times the share of the window that saw
 * it, X_o their sum over the owner, phi = [1, cos, sin, ..., 1] at the middle of the window. R adds
 * the meter's error and the short-lived noise of each pod. The products are linearised where the
 * estimate stands (an extended Kalman filter): the regressor h of owners and pods is s times X phi
 * and x, that of s the expected sum. y is scalar, so the update needs no matrix inverse: with
 * S = h'Ph + R, the mean moves by Ph (y - expected) / S and P loses Ph (Ph)' / S.
 *
 * Pods. Where a pod has samples of its own they are observed the same way, one owner and one
 * deviation each, and taken off the node's: that tells what is left, mostly its overhead. A pod's
 * surprise is its own first of all and inflates no excess; how far the pods of an owner differ is
 * learned owner by owner. Whether a node is slow cannot be told from a pod that differs by itself:
 * with samples of pods, deviations hold both, and NodeEffects tells them apart.
 *
 * Unit. Samples show products of slowness and ratio alone, so their common scale is a convention:
 * the nodes' mean slowness is 1. A prior does not hold it there: linearised filters gain certainty
 * they do not have along a direction nobody observes, and drift (measured: to 0.4 in eight hours).
 * It is held by an exact observation of the mean, every half minute; see centre().
 *
 * Robustness. An innovation beyond 1.75 standard deviations is implausible under the model, and
 * more often a burst that began or ended than noise. Past this gate the owners' excess variances
 * are inflated until the sample becomes plausible, so that the excess takes the step and not the
 * mean. What then still lies beyond four standard deviations is cut (a Huber-like bounded
 * influence), so one broken sample cannot teach. A node at its capacity hides the demand above it:
 * a sample there may raise the estimate, never lower it (a censored observation).
 *
 * Correlations. Two owners seen only together are known only in sum; JointCovariance keeps the full
 * P while it has room (about 30 nodes). Beyond that blocks are kept independent, which overstates
 * what one mixture tells and relies on owners meeting in many mixtures.
 *
 * Limits. Samples are taken for independent: of overlapping rate windows ClusterState hands on one
 * in a window's length, which wastes what the others know. A node is as slow to all owners; on
 * large clusters (without correlations) speeds take hours to be told apart, on small ones minutes.
 * One resource (CPU). All variances but the excess's and, where pods are measured, their spread's
 * are constants.
 *
 * References: Kalman, "A new approach to linear filtering and prediction problems" (1960). West and
 * Harrison, "Bayesian forecasting and dynamic models" (2nd ed. 1997): harmonic components (ch. 8),
 * intervention by added uncertainty when the model is surprised (ch. 11). Bar-Shalom, Li and
 * Kirubarajan, "Estimation with applications to tracking and navigation" (2001): gating by the
 * normalised innovation (ch. 5), extended Kalman filter (ch. 10). Huang, Mourikis and Roumeliotis,
 * "Observability-based rules for designing consistent EKF SLAM estimators" (2010): why it drifts
 * along what nobody observes. Schmidt, "Application of state-space methods to navigation problems"
 * (1966): the partial update in JointCovariance.
 */

/**
 * Learns owner ratios from node samples; see the essay above.
 *
 * <p>Thread rule: one owner; callers serialise access.
 */
public final class UsageFilter {
  /** Innovations are cut here, in standard deviations: one broken sample must not teach. */
  private static final double MAX_INNOVATION = 4;

  /** Innovation gate in standard deviations: beyond it, a burst has begun or ended. */
  private static final double INNOVATION_GATE = 1.75;

  /**
   * Most that an excess is inflated, in its usual variances: a burst of ten times the usual. What
   * is more was nobody's burst: a node's own work in a window that hardly saw the one pod on it
   * would otherwise make that pod's owner use thousands of cores.
   */
  private static final double MAX_INFLATION = 100;

  /**
   * Short-lived noise of one pod's usage, relative to the ratio; larger than what is measured, as
   * it outlives a sample and consecutive samples share it.
   */
  private static final double POD_NOISE_STD = 0.2;

  /** Standard deviation of what a node's meter shows, as a fraction of the node. */
  private static final double MEASUREMENT_NOISE_STD = 0.005;

  /**
   * Noise of a pod's own samples, relative to the ratio: of the mean over {@link
   * #POD_NOISE_MEMORY}. A shorter window shows as much of it again, and the next one with it.
   */
  private static final double MEASURED_POD_NOISE_STD = 0.35;

  private static final double POD_NOISE_MEMORY = 60;

  /** Standard deviation of what a pod's meter shows, cores. */
  private static final double POD_METER_STD = 0.002;

  /** Seconds in which old evidence about a pod that is measured loses half its weight. */
  private static final double POD_DRIFT_HALF_LIFE = 86_400;

  /**
   * Share of a node's CPU that its pods' own samples explain, from which on they tell its speed.
   */
  private static final double MOSTLY = 0.5;

  /** How far a node may lie from the average in what its pods take of it. */
  private static final double SLOWNESS_STD = 0.15;

  /** How exactly the mean slowness is held. */
  private static final double MEAN_SLOWNESS_STD = 1e-3;

  /** No node is slower than this, or faster. */
  private static final double MAX_SLOWNESS = 4;

  /** A sample this near to capacity hides the demand above it. */
  private static final double SATURATED = 0.97;

  private final UsageConfig config;
  private final JointCovariance joint = new JointCovariance();

  public UsageFilter(UsageConfig config) {
    this.config = config;
  }

  /**
   * A pod's part in one sample.
   *
   * @param deviation of its ratio from its owner's
   * @param cores request cores, weighted by the share of the window that saw the pod at work
   * @param measured what a sample of the pod itself says it used of the window, cores; NaN without
   *     one
   */
  public record Load(OwnerModel owner, StateEstimate deviation, double cores, double measured) {
    private boolean known() {
      return !Double.isNaN(measured);
    }
  }

  /**
   * One sample of a pod.
   *
   * @param deviation of its ratio from its owner's; updated
   * @param slowness of its node
   * @param effect of its node on the pods there, see NodeEffects
   * @param cores request cores, weighted by the share of the window that saw the pod at work
   * @param cpu mean over the window, cores
   * @param middle of the window, seconds
   * @param seconds length of the window
   * @param elapsed seconds since the last observation of this pod, 0 for the first
   * @param throttled whether the node was at its capacity, which hides the demand above it
   */
  public record PodObservation(
      OwnerModel owner,
      StateEstimate deviation,
      StateEstimate slowness,
      double effect,
      double cores,
      double cpu,
      double middle,
      double seconds,
      double elapsed,
      boolean throttled) {}

  /**
   * One sample of a node.
   *
   * @param overhead CPU the node spends on itself, cores; updated
   * @param slowness CPU that pods take on this node, against one of average speed; updated
   * @param capacity cores
   * @param cpu mean over the window, cores
   * @param middle of the window, seconds
   * @param elapsed seconds since the last observation of this node, 0 for the first
   */
  public record Observation(
      StateEstimate overhead,
      StateEstimate slowness,
      double capacity,
      double cpu,
      double middle,
      double elapsed,
      List<Load> loads) {}

  /** A block's part in one observation; the owner whose block it is, if it is one that learns. */
  private record Term(StateEstimate estimate, double[] regressor, @Nullable OwnerModel owner) {
    /** Request cores at work, times the slowness: the regressor of the mean. */
    double cores() {
      return regressor[0];
    }
  }

  /**
   * How uncertain the observation is as predicted: its variance, and the gain of the joint blocks
   * and of each block on its own.
   */
  private record Prediction(double variance, double[] joint, List<double[]> single) {}

  /**
   * What a sample showed beyond what was expected of it, cores.
   *
   * @param before innovation: what was not expected before the sample; 0 where a node at its
   *     capacity may hide it
   * @param after residual: what stays unexplained after it
   */
  public record Surprise(double before, double after) {
    private static final Surprise NONE = new Surprise(0, 0);

    /** This and another. */
    public Surprise plus(Surprise other) {
      return new Surprise(before + other.before, after + other.after);
    }
  }

  /** Measurement update by a node. */
  public Surprise update(Observation sample) {
    List<Term> terms = new ArrayList<>();
    terms.add(new Term(sample.overhead, new double[] {1}, null));
    double noise = addTerms(sample, terms) + square(MEASUREMENT_NOISE_STD * sample.capacity);
    double expected = expected(terms);
    double measured = measured(sample);
    if (measured < MOSTLY * sample.cpu) {
      addSlowness(terms, sample.slowness, expected - sample.overhead.mean(), sample.elapsed);
    } else if (sample.slowness.mean() != 1) {
      resetSlowness(sample.slowness); // it belongs to the pods' deviations from now on
    }
    admit(terms);
    double innovation = sample.cpu - measured - expected;
    if (saturated(sample.cpu, sample.capacity) && innovation < 0) {
      return Surprise.NONE;
    }
    Prediction prediction = predict(terms, noise);
    double missing = square(innovation / INNOVATION_GATE) - prediction.variance;
    if (missing > 0 && inflate(terms, missing)) {
      prediction = predict(terms, noise);
    }
    Surprise surprise = correct(terms, prediction, innovation, noise);
    sample.overhead.mean[0] = Math.max(0, sample.overhead.mean[0]);
    bound(sample.slowness);
    return surprise;
  }

  /**
   * Measurement update by a pod. A surprise is first of all the pod's own: no excess of its owner
   * is inflated by it.
   */
  public Surprise update(PodObservation sample) {
    List<Term> terms = new ArrayList<>();
    double x = sample.cores * sample.slowness.mean();
    if (config.has(Part.PER_POD)) {
      sample.owner.podsAreMeasured();
      drift(sample.deviation, sample.owner.podVariance(), POD_DRIFT_HALF_LIFE, sample.elapsed);
      terms.add(new Term(sample.deviation, new double[] {x}, null));
    }
    terms.add(term(sample.owner, x, sample.middle));
    double noise =
        square(x * MEASURED_POD_NOISE_STD * sample.owner.meanRatio())
                * Math.max(1, POD_NOISE_MEMORY / sample.seconds)
            + square(POD_METER_STD);
    admit(terms);
    double innovation = sample.cpu - expected(terms);
    if (sample.throttled && innovation < 0) {
      return Surprise.NONE;
    }
    Surprise surprise = correct(terms, predict(terms, noise), innovation, noise);
    sample.owner.observed(
        sample.deviation, (sample.effect - 1) * sample.owner.meanRatio(), sample.elapsed);
    return surprise;
  }

  /** Whether a node's CPU is so near to its capacity that demand above it may not show. */
  public static boolean saturated(double cpu, double capacity) {
    return cpu >= SATURATED * capacity;
  }

  /**
   * The node's slowness takes part.
   *
   * @param cores of pods that the observation is expected to show
   */
  private void addSlowness(List<Term> terms, StateEstimate slowness, double cores, double elapsed) {
    if (config.has(Part.NODE_SPEED)) {
      drift(slowness, square(SLOWNESS_STD), OwnerModel.DRIFT_HALF_LIFE, elapsed);
      terms.add(new Term(slowness, new double[] {cores / slowness.mean()}, null));
    }
  }

  /** Every term is in the joint covariance if there is room. */
  private void admit(List<Term> terms) {
    for (Term t : terms) {
      if (config.has(Part.JOINT)) {
        joint.admit(t.estimate);
      }
    }
  }

  private Surprise correct(
      List<Term> terms, Prediction prediction, double innovation, double noise) {
    double limit = MAX_INNOVATION * Math.sqrt(prediction.variance);
    double step = Math.max(-limit, Math.min(limit, innovation)) / prediction.variance;
    joint.update(prediction.joint, step, prediction.variance);
    for (int i = 0; i < terms.size(); i++) {
      if (prediction.single.get(i).length > 0) {
        terms.get(i).estimate.update(prediction.single.get(i), step, prediction.variance);
      }
    }
    return new Surprise(innovation, innovation - step * (prediction.variance - noise));
  }

  /** Nothing is known yet of a node's slowness. */
  public void resetSlowness(StateEstimate slowness) {
    joint.drop(slowness);
    slowness.set(1, config.has(Part.NODE_SPEED) ? square(SLOWNESS_STD) : 0);
  }

  /**
   * Holds the nodes' mean slowness at 1, the unit of everything that owners use. An exact
   * observation of the mean, so that owners' ratios rise as the nodes' slownesses fall; without
   * correlations they follow with their next samples.
   *
   * @param slownesses of all nodes; updated
   */
  public void centre(List<StateEstimate> slownesses) {
    if (config.has(Part.JOINT)) {
      slownesses.forEach(joint::admit);
    }
    double mean = 0;
    double[] share = {1.0 / slownesses.size()};
    double[] gain = new double[joint.size()];
    for (StateEstimate s : slownesses) {
      mean += s.mean() * share[0];
      if (s.row != StateEstimate.NOT_JOINT) {
        joint.addGain(s, share, gain);
      }
    }
    double variance = square(MEAN_SLOWNESS_STD);
    for (StateEstimate s : slownesses) {
      variance += s.row == StateEstimate.NOT_JOINT ? 0 : share[0] * gain[s.row];
    }
    joint.update(gain, (1 - mean) / variance, variance);
    for (StateEstimate s : slownesses) {
      if (s.row == StateEstimate.NOT_JOINT) {
        s.mean[0] += 1 - mean;
      }
      bound(s);
    }
  }

  private static void bound(StateEstimate slowness) {
    slowness.mean[0] = Math.max(1 / MAX_SLOWNESS, Math.min(MAX_SLOWNESS, slowness.mean[0]));
  }

  /**
   * Old evidence fades, about a node's speed or a pod as it does about an owner's mean: half of
   * what is known of it in a half-life.
   */
  private void drift(StateEstimate estimate, double prior, double halfLife, double seconds) {
    double room = Math.max(0, prior - estimate.variance());
    double lost = 1 - Math.pow(0.5, seconds / halfLife);
    estimate.set(estimate.mean(), estimate.variance() + room * lost);
    joint.refresh(estimate);
  }

  private static double expected(List<Term> terms) {
    double sum = 0;
    for (Term t : terms) {
      sum += dot(t.estimate.mean, t.regressor);
    }
    return sum;
  }

  private Prediction predict(List<Term> terms, double noise) {
    double variance = noise;
    double[] gain = new double[joint.size()];
    List<double[]> gains = new ArrayList<>();
    for (Term t : terms) {
      boolean member = t.estimate.row != StateEstimate.NOT_JOINT;
      double[] own = member ? new double[0] : t.estimate.times(t.regressor);
      gains.add(own);
      if (member) {
        joint.addGain(t.estimate, t.regressor, gain);
      } else {
        variance += dot(own, t.regressor);
      }
    }
    return new Prediction(variance + jointVariance(terms, gain), gain, gains);
  }

  /**
   * Covariance inflation: the owners' excesses become uncertain enough to make the sample
   * plausible, each by its share of the variance that bursts bring to this node.
   *
   * @param missing variance, cores squared
   * @return whether any owner here bursts
   */
  private boolean inflate(List<Term> terms, double missing) {
    double bursts = 0;
    for (Term t : terms) {
      bursts += t.owner == null ? 0 : square(t.cores()) * t.owner.excessVariance();
    }
    for (Term t : terms) {
      if (t.owner != null && bursts > 0) {
        t.owner.inflateExcess(Math.min(MAX_INFLATION, missing / bursts), joint);
      }
    }
    return bursts > 0;
  }

  /** Variance that the members of the joint covariance bring. */
  private static double jointVariance(List<Term> terms, double[] gain) {
    double sum = 0;
    for (Term t : terms) {
      for (int k = 0; t.estimate.row != StateEstimate.NOT_JOINT && k < t.regressor.length; k++) {
        sum += t.regressor[k] * gain[t.estimate.row + k];
      }
    }
    return Math.max(0, sum);
  }

  /** Adds the terms of pods and owners; returns the variance of the pods' short-lived noise. */
  private double addTerms(Observation sample, List<Term> terms) {
    double noise = 0;
    Map<OwnerModel, double[]> cores = new LinkedHashMap<>();
    for (Load load : sample.loads) {
      if (load.known()) {
        noise += square(load.measured * POD_NOISE_STD); // its windows are not quite the node's
        continue;
      }
      double x = load.cores * sample.slowness.mean();
      cores.computeIfAbsent(load.owner, o -> new double[1])[0] += x;
      noise += square(x * POD_NOISE_STD * load.owner.meanRatio());
      if (config.has(Part.PER_POD)) {
        terms.add(new Term(load.deviation, new double[] {x}, null));
      }
    }
    cores.forEach((owner, x) -> terms.add(term(owner, x[0], sample.middle)));
    return noise;
  }

  /** An owner's part in an observation of so many request cores, predicted to its time. */
  private Term term(OwnerModel owner, double cores, double middle) {
    owner.predict(middle, joint);
    double[] regressor = new double[owner.estimate.size()];
    owner.regressor(middle, regressor);
    for (int k = 0; k < regressor.length; k++) {
      regressor[k] *= cores;
    }
    // Without learned ratios the owner still explains the sample, but learns nothing from it.
    boolean learns = config.has(Part.OWNER_RATIOS);
    return new Term(learns ? owner.estimate : owner.certain(), regressor, learns ? owner : null);
  }

  private static double measured(Observation sample) {
    double sum = 0;
    for (Load load : sample.loads) {
      sum += load.known() ? load.measured : 0;
    }
    return sum;
  }

  /** A pod can no longer show in any sample; with the last pod of an owner its ties go, too. */
  public void forget(OwnerModel owner, StateEstimate deviation) {
    joint.drop(deviation);
    if (!owner.hasPods()) {
      forget(owner);
    }
  }

  /** Whether a sample of one node may change the estimates of pods on others. */
  public boolean joint() {
    return joint.used() > 0;
  }

  void forget(OwnerModel owner) {
    joint.drop(owner.estimate);
  }

  /** A node is gone, or another one by its name: what is known of its overhead or slowness. */
  public void forget(StateEstimate ofNode) {
    joint.drop(ofNode);
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
