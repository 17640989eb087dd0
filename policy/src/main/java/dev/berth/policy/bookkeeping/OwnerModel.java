package dev.berth.policy.bookkeeping;

import dev.berth.policy.bookkeeping.BookkeepingConfig.Part;

/**
 * What is believed of one owner: its usage / request ratio as a small linear state-space model,
 *
 * <pre>ratio(t) = mean + sum_k (a_k cos k w t + b_k sin k w t) + excess(t)</pre>
 *
 * with a slowly drifting mean, a ridge-shrunk daily profile and a mean-reverting excess (bursts).
 * The state's Gaussian belief is updated by {@link UsageFilter} from node samples alone. Also
 * counts lives and ends of its pods, for the hazard of ending.
 *
 * <p>Layout of the state: [mean, a_1, b_1, ..., excess].
 */
final class OwnerModel {
  private static final double LN2 = Math.log(2);

  private final BookkeepingConfig config;
  final int size;

  /** State mean, {@code [size]}. */
  final double[] state;

  /** State covariance, row-major {@code [size * size]}. */
  final double[] covariance;

  private double time;
  int pods;

  // Evidence about lifetimes: pod-seconds lived and pods ended.
  private double exposure;
  private double ends;
  private double exposureTime;

  // The forecast of the last asked (now, horizons), shared by all candidates of a decision.
  private double forecastAt = Double.NaN;
  private int forecastVersion = -1;
  private int version;
  private double[] ratios = {};
  private double[] survivals = {};

  OwnerModel(BookkeepingConfig config, double clusterRatio, double now) {
    this.config = config;
    int harmonics = config.has(Part.TIME_OF_DAY) ? config.harmonics() : 0;
    this.size = 2 + 2 * harmonics;
    this.state = new double[size];
    this.covariance = new double[size * size];
    this.time = now;
    this.exposureTime = now;
    state[0] = clusterRatio;
    set(0, square(config.priorRatioStd()));
    for (int k = 1; k <= 2 * harmonics; k++) {
      set(k, square(config.harmonicStd() * clusterRatio) / ((k + 1) / 2));
    }
    set(size - 1, excessVariance());
  }

  private void set(int i, double variance) {
    covariance[i * size + i] = variance;
  }

  private double excessVariance() {
    return config.has(Part.EXCESS) ? square(config.excessStd() * Math.max(0.1, state[0])) : 0;
  }

  /** Regressor of the state at time t, {@code [size]}. */
  void regressor(double t, double[] out) {
    out[0] = 1;
    double angle = 2 * Math.PI * t / config.daySeconds();
    for (int k = 1; 2 * k <= size - 2; k++) {
      out[2 * k - 1] = Math.cos(k * angle);
      out[2 * k] = Math.sin(k * angle);
    }
    out[size - 1] = 1;
  }

  /** Moves the belief to time t: the excess fades, the mean's certainty does. Never backwards. */
  void advance(double t) {
    double dt = t - time;
    if (dt <= 0) {
      return;
    }
    time = t;
    version++;
    double keep = Math.exp(-LN2 * dt / config.excessHalfLife());
    int e = size - 1;
    state[e] *= keep;
    for (int i = 0; i < e; i++) {
      covariance[i * size + e] *= keep;
      covariance[e * size + i] *= keep;
    }
    covariance[e * size + e] =
        keep * keep * covariance[e * size + e] + (1 - keep * keep) * excessVariance();
    double room = square(config.priorRatioStd()) - covariance[0];
    covariance[0] += Math.max(0, room) * (1 - Math.exp(-LN2 * dt / config.driftHalfLife()));
  }

  void touched() {
    version++;
  }

  /** Ratio believed for time t as seen from the belief's own time. */
  double ratio(double t, double[] scratch) {
    regressor(t, scratch);
    double r = 0;
    for (int i = 0; i < size - 1; i++) {
      r += scratch[i] * state[i];
    }
    r += state[size - 1] * Math.exp(-LN2 * Math.max(0, t - time) / config.excessHalfLife());
    return Math.max(0.02, r);
  }

  double meanRatio() {
    return Math.max(0.02, state[0]);
  }

  double meanVariance() {
    return covariance[0];
  }

  void podStarted(double at) {
    age(at);
    pods++;
  }

  void podEnded(double at) {
    age(at);
    pods--;
    ends++;
    version++;
  }

  private void age(double at) {
    exposure += pods * Math.max(0, at - exposureTime);
    exposureTime = Math.max(exposureTime, at);
  }

  double exposure(double now) {
    return exposure + pods * Math.max(0, now - exposureTime);
  }

  double ends() {
    return ends;
  }

  /**
   * Fills {@link #ratios} and {@link #survivals} for the horizons; cached for a decision.
   *
   * @param clusterHazard ends per pod-second over the whole cluster, the prior
   */
  void forecast(double now, double[] horizons, double clusterHazard, double[] scratch) {
    if (now == forecastAt && version == forecastVersion && ratios.length == horizons.length) {
      return;
    }
    if (ratios.length != horizons.length) {
      ratios = new double[horizons.length];
      survivals = new double[horizons.length];
    }
    // A gamma prior worth one end: an owner never seen ending inherits the cluster's hazard.
    double hazard = clusterHazard <= 0 ? 0 : (ends + 1) / (exposure(now) + 1 / clusterHazard);
    for (int h = 0; h < horizons.length; h++) {
      ratios[h] = ratio(now + horizons[h], scratch);
      survivals[h] = config.has(Part.LIFETIME) ? Math.exp(-hazard * horizons[h]) : 1;
    }
    forecastAt = now;
    forecastVersion = version;
  }

  double ratioAt(int horizon) {
    return ratios[horizon];
  }

  double survivalAt(int horizon) {
    return survivals[horizon];
  }

  private static double square(double x) {
    return x * x;
  }
}
