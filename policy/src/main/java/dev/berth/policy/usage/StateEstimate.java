package dev.berth.policy.usage;

/**
 * A Gaussian estimate of a few numbers that belong together: their mean and covariance. One block
 * of the state of the {@link UsageFilter}.
 */
public final class StateEstimate {
  static final int NOT_JOINT = -1;

  final double[] mean;

  /** Row-major {@code [size * size]}. */
  final double[] covariance;

  /** First row in the {@link JointCovariance}, or {@link #NOT_JOINT}. */
  int row = NOT_JOINT;

  /** Grows with every change, so that whatever was computed from it can be cached. */
  int version;

  StateEstimate(int size) {
    mean = new double[size];
    covariance = new double[size * size];
  }

  /** One number. */
  public StateEstimate(double mean, double variance) {
    this(1);
    set(mean, variance);
  }

  int size() {
    return mean.length;
  }

  /** Mean of the first number. */
  public double mean() {
    return mean[0];
  }

  /** Variance of the first number. */
  public double variance() {
    return covariance[0];
  }

  /** Replaces an estimate of one number. */
  public void set(double mean, double variance) {
    this.mean[0] = mean;
    this.covariance[0] = variance;
    version++;
  }

  double variance(int i) {
    return covariance[i * mean.length + i];
  }

  void setVariance(int i, double variance) {
    covariance[i * mean.length + i] = variance;
  }

  /** Gain of the regressor: {@code covariance * x}, {@code [size]}. */
  double[] times(double[] x) {
    int n = mean.length;
    double[] out = new double[n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        out[i] += covariance[i * n + j] * x[j];
      }
    }
    return out;
  }

  /**
   * Measurement update by one scalar observation.
   *
   * @param gain {@link #times} of the regressor; the Kalman gain is this divided by the variance
   * @param step innovation divided by its variance
   * @param variance of the innovation
   */
  void update(double[] gain, double step, double variance) {
    int n = mean.length;
    for (int i = 0; i < n; i++) {
      mean[i] += gain[i] * step;
      for (int j = 0; j < n; j++) {
        covariance[i * n + j] -= gain[i] * gain[j] / variance;
      }
    }
    version++;
  }
}
