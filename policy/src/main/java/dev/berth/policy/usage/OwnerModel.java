package dev.berth.policy.usage;

import dev.berth.policy.usage.UsageConfig.Part;
import java.util.Arrays;

/**
 * One owner: its usage / request ratio as a small linear state-space model,
 *
 * <pre>ratio(t) = mean + sum_k (a_k cos k w t + b_k sin k w t) + excess(t)</pre>
 *
 * with a slowly drifting mean, a ridge-shrunk daily profile and a mean-reverting excess (bursts).
 * The state's Gaussian estimate is updated by {@link UsageFilter} from node samples alone. Also
 * counts lives and ends of its pods, for the hazard of ending.
 *
 * <p>Layout of the state: [mean, a_1, b_1, ..., excess].
 */
public final class OwnerModel {
  /** Sine and cosine pairs of the time-of-day profile. */
  public static final int HARMONICS = 2;

  /** Numbers of the largest state: mean, harmonics, excess. */
  public static final int MAX_STATE = 2 + 2 * HARMONICS;

  /** How far a new owner may lie from the cluster's mean ratio. */
  static final double PRIOR_RATIO_STD = 0.35;

  /** Expected height of the time-of-day harmonics, relative to the ratio. */
  private static final double HARMONIC_STD = 0.3;

  /** Height of an owner's passing excess before anything is known of it, relative to the ratio. */
  private static final double EXCESS_STD = 0.35;

  /** Seconds in which half of an excess passes. */
  private static final double EXCESS_HALF_LIFE = 180;

  /** Seconds in which old evidence about an owner's mean loses half its weight. */
  static final double DRIFT_HALF_LIFE = 6 * 3600;

  private static final double LN2 = Math.log(2);

  /**
   * How far a pod may lie from its owner, relative to the ratio: where nobody measures pods, and
   * before much is known of those that are measured.
   */
  private static final double POD_STD = 0.18;

  private static final double MEASURED_POD_STD = 0.35;

  /** Seconds over which the spread of an owner's pods is remembered. */
  private static final double SPREAD_MEMORY = 3600;

  /** Samples of each pod over which the memory of an owner's pods is averaged. */
  private static final int MEMORY_SAMPLES = 10;

  /** Least and most that the pods of an owner are taken to differ, relative to the ratio. */
  private static final double MIN_SPREAD = 0.05;

  private static final double MAX_SPREAD = 2;

  /** Seconds over which an owner's bursts are remembered. */
  private static final double EXCESS_MEMORY = 3600;

  /** Ends of an owner's pods that weigh as much as the whole cluster's hazard. */
  private static final double PRIOR_ENDS = 4;

  private final UsageConfig config;
  private final TimeOfDay timeOfDay;
  private final int number;
  private final int size;

  /** Layout as above. */
  final StateEstimate estimate;

  private double time;
  private int pods;

  /** Mean square of the excess relative to the ratio, lately: half of all owners never burst. */
  private double excessPower;

  /** Mean square of what sets its pods apart, relative to the ratio. */
  private double podSpread = square(POD_STD);

  private boolean podsMeasured;

  /** Memory that its pods were measured to hold, of what they request; NaN while none was. */
  private double memoryRatio = Double.NaN;

  private int memorySamples;

  // Evidence about lifetimes: pod-seconds lived and pods ended.
  private double exposure;
  private double ends;
  private double exposureTime;

  /** Ends per pod-second, as last refreshed. */
  private double hazard;

  // The forecast of the last asked (second, horizons): ratios, then survivals.
  private double forecastAt = Double.NaN;
  private double[] forecastFor = {};
  private int forecastVersion = -1;
  private double forecastHazard = -1;
  private double[] forecast = {};

  /**
   * @param clusterRatio usage / request of the whole cluster, the prior
   * @param clusterHazard ends per pod-second over the whole cluster, the prior
   * @param number see {@link #number}
   */
  OwnerModel(
      UsageConfig config,
      TimeOfDay timeOfDay,
      double clusterRatio,
      double clusterHazard,
      double now,
      int number) {
    this.config = config;
    this.timeOfDay = timeOfDay;
    this.number = number;
    int harmonics = config.has(Part.TIME_OF_DAY) ? HARMONICS : 0;
    this.size = 2 + 2 * harmonics;
    this.estimate = new StateEstimate(size);
    this.time = now;
    this.exposureTime = now;
    this.hazard = clusterHazard;
    this.excessPower = square(EXCESS_STD);
    estimate.mean[0] = clusterRatio;
    estimate.setVariance(0, square(PRIOR_RATIO_STD));
    for (int k = 1; k <= 2 * harmonics; k++) {
      estimate.setVariance(k, square(HARMONIC_STD * clusterRatio) / ((k + 1) / 2));
    }
    estimate.setVariance(size - 1, excessVariance());
  }

  /**
   * Small, and its own as long as the owner is known: where columns have what belongs to it.
   * Negative for an owner that is not known.
   */
  public int number() {
    return number;
  }

  /** An estimate of the same ratios that is certain, and so never learns. */
  StateEstimate certain() {
    StateEstimate certain = new StateEstimate(size);
    System.arraycopy(estimate.mean, 0, certain.mean, 0, size);
    return certain;
  }

  /**
   * What a process knows of an owner, for the next one.
   *
   * @param time of the estimate
   * @param lastSeen when it last had a pod
   * @param exposure pod-seconds lived
   * @param ends pods ended
   * @param excessPower mean square of the excess relative to the ratio
   * @param covariance row-major {@code [size * size]}
   */
  public record Snapshot(
      double time,
      double lastSeen,
      double exposure,
      double ends,
      double excessPower,
      double[] mean,
      double[] covariance) {}

  /** Estimate and counts, lifetimes up to now. */
  public Snapshot snapshot(double now) {
    return new Snapshot(
        time,
        Math.min(now, idleSince()),
        exposure(now),
        ends,
        excessPower,
        estimate.mean.clone(),
        estimate.covariance.clone());
  }

  /**
   * Takes up a snapshot of an earlier process; the pods that run are counted already.
   *
   * @param at when the snapshot was taken
   * @throws IllegalArgumentException if its state has another size
   */
  public void restore(Snapshot state, double at, double now) {
    if (state.mean().length != size) {
      throw new IllegalArgumentException(
          "an owner's state has " + state.mean().length + " numbers, not " + size);
    }
    System.arraycopy(state.mean(), 0, estimate.mean, 0, size);
    System.arraycopy(state.covariance(), 0, estimate.covariance, 0, size * size);
    estimate.version++;
    time = Math.min(state.time(), now);
    exposure = state.exposure();
    // Idle goes on where it was, or daily restarts would keep who never comes back for ever.
    exposureTime = Math.min(now, pods > 0 ? at : Math.min(state.lastSeen(), at));
    ends = state.ends();
    excessPower = state.excessPower();
  }

  /** Variance of the excess at an instant nothing is known of. */
  double excessVariance() {
    return config.has(Part.EXCESS) ? excessPower * square(scale()) : 0;
  }

  /** How far a pod may lie from it, as a variance. */
  public double podVariance() {
    return podSpread * square(meanRatio());
  }

  /** Samples of its pods begin: how far they differ can be told from now on. */
  void podsAreMeasured() {
    if (!podsMeasured) {
      podsMeasured = true;
      podSpread = square(MEASURED_POD_STD);
    }
  }

  /**
   * A pod was observed. Each pod counts by how much is known of it; the mean square of all is what
   * makes these deviations likeliest (one step of expectation-maximisation).
   *
   * @param typical deviation of a pod where this one runs
   * @param elapsed seconds since it was observed before
   */
  void observed(StateEstimate deviation, double typical, double elapsed) {
    double known = Math.max(0, 1 - deviation.variance() / podVariance());
    double own = deviation.mean() - typical;
    double seen = (square(own) + deviation.variance()) / square(meanRatio());
    double share = 1 - Math.exp(-known * elapsed / SPREAD_MEMORY / Math.max(1, pods));
    podSpread += share * (seen - podSpread);
    podSpread = Math.max(square(MIN_SPREAD), Math.min(square(MAX_SPREAD), podSpread));
  }

  /** A pod was measured to hold so much memory of what it requests. */
  public void heldMemory(double ofRequest) {
    memorySamples = Math.min(memorySamples + 1, MEMORY_SAMPLES * Math.max(1, pods));
    double known = Double.isNaN(memoryRatio) ? 0 : memoryRatio;
    memoryRatio = known + (ofRequest - known) / memorySamples;
  }

  /** Memory that its pods hold of what they request; NaN where none was measured. */
  public double memoryRatio() {
    return memoryRatio;
  }

  /** The ratio that an excess is relative to. */
  private double scale() {
    return Math.max(0.1, estimate.mean[0]);
  }

  /** A burst may have begun or ended: the excess gets {@code times} its usual variance on top. */
  void inflateExcess(double times, JointCovariance joint) {
    int e = size - 1;
    estimate.setVariance(e, estimate.variance(e) + times * excessVariance());
    estimate.version++;
    joint.refresh(estimate);
  }

  /** Regressor of the state at time t, {@code [size]}. */
  void regressor(double t, double[] out) {
    out[0] = 1;
    if (size > 2) {
      System.arraycopy(timeOfDay.at(t), 0, out, 1, size - 2);
    }
    out[size - 1] = 1;
  }

  /**
   * Predicts the state at time t: the excess decays, the mean's certainty does. Never backwards.
   */
  void predict(double t, JointCovariance joint) {
    double dt = t - time;
    if (dt <= 0) {
      return;
    }
    time = t;
    estimate.version++;
    double keep = Math.exp(-LN2 * dt / EXCESS_HALF_LIFE);
    int e = size - 1;
    double[] covariance = estimate.covariance;
    double seen = (square(estimate.mean[e]) + estimate.variance(e)) / square(scale());
    excessPower += (1 - Math.exp(-dt / EXCESS_MEMORY)) * (seen - excessPower);
    estimate.mean[e] *= keep;
    for (int i = 0; i < e; i++) {
      covariance[i * size + e] *= keep;
      covariance[e * size + i] *= keep;
    }
    estimate.setVariance(
        e, keep * keep * estimate.variance(e) + (1 - keep * keep) * excessVariance());
    double room = Math.max(0, square(PRIOR_RATIO_STD) - estimate.variance(0));
    double lost = 1 - Math.exp(-LN2 * dt / DRIFT_HALF_LIFE);
    estimate.setVariance(0, estimate.variance(0) + room * lost);
    joint.decay(estimate, e, keep);
    joint.refresh(estimate);
  }

  /** Ratio expected at time t as seen from the estimate's own time. */
  public double ratio(double t) {
    double[] mean = estimate.mean;
    double r = mean[0];
    if (size > 2) {
      double[] waves = timeOfDay.at(t);
      for (int i = 1; i < size - 1; i++) {
        r += waves[i - 1] * mean[i];
      }
    }
    double excess = mean[size - 1];
    if (excess != 0) { // none is known of an owner that no sample has shown
      r += excess * Math.exp(-LN2 * Math.max(0, t - time) / EXCESS_HALF_LIFE);
    }
    return Math.max(0.02, r);
  }

  /** Variance of the ratio at time t as seen from the estimate's own time. */
  public double variance(double t, double[] scratch) {
    regressor(t, scratch);
    double keep = Math.exp(-LN2 * Math.max(0, t - time) / EXCESS_HALF_LIFE);
    scratch[size - 1] = keep;
    double sum = (1 - keep * keep) * excessVariance();
    for (int i = 0; i < size; i++) {
      for (int j = 0; j < size; j++) {
        sum += scratch[i] * estimate.covariance[i * size + j] * scratch[j];
      }
    }
    return Math.max(0, sum);
  }

  public double meanRatio() {
    return Math.max(0.02, estimate.mean[0]);
  }

  double meanVariance() {
    return estimate.variance(0);
  }

  public void podStarted(double at) {
    age(at);
    pods++;
  }

  public void podEnded(double at) {
    age(at);
    pods--;
    ends++;
  }

  /** It never ran. */
  public void podTakenBack(double at) {
    age(at);
    pods--;
  }

  private void age(double at) {
    exposure += pods * Math.max(0, at - exposureTime);
    exposureTime = Math.max(exposureTime, at);
  }

  /** When the last pod ended; infinite while pods run. */
  double idleSince() {
    return pods > 0 ? Double.POSITIVE_INFINITY : exposureTime;
  }

  public double exposure(double now) {
    return exposure + pods * Math.max(0, now - exposureTime);
  }

  public int pods() {
    return pods;
  }

  public boolean hasPods() {
    return pods > 0;
  }

  double ends() {
    return ends;
  }

  /**
   * The ratio expected at each horizon, then the share of today's pods that still run at each: of
   * the whole second, so that all decisions in it, and all nodes, share what is made of it.
   *
   * @return {@code [2 * horizons]}; not to be written to, nor kept
   */
  public double[] forecast(double now, double[] horizons) {
    double second = Math.floor(now);
    if (second == forecastAt
        && estimate.version == forecastVersion
        && hazard == forecastHazard
        && (horizons == forecastFor || Arrays.equals(horizons, forecastFor))) {
      return forecast;
    }
    int n = horizons.length;
    if (forecast.length != 2 * n) {
      forecast = new double[2 * n];
    }
    for (int h = 0; h < n; h++) {
      forecast[h] = ratio(second + horizons[h]);
      forecast[n + h] = survival(config, hazard, horizons[h]);
    }
    forecastAt = second;
    forecastFor = horizons;
    forecastVersion = estimate.version;
    forecastHazard = hazard;
    return forecast;
  }

  /**
   * Takes the hazard of ending anew from what has ended, by a gamma prior: an owner never seen
   * ending inherits the cluster's.
   *
   * @param clusterHazard ends per pod-second over the whole cluster, the prior
   */
  void refreshHazard(double now, double clusterHazard) {
    hazard =
        clusterHazard <= 0 ? 0 : (ends + PRIOR_ENDS) / (exposure(now) + PRIOR_ENDS / clusterHazard);
  }

  /** Ends per pod-second, as last refreshed. */
  double hazard() {
    return hazard;
  }

  /** Share of pods under a hazard that still run after some seconds. */
  static double survival(UsageConfig config, double hazard, double seconds) {
    double expected = hazard * seconds; // nothing now, nor while no pod has ended
    return expected != 0 && config.has(Part.LIFETIME) ? Math.exp(-expected) : 1;
  }

  private static double square(double x) {
    return x * x;
  }
}
