package dev.berth.policy.bookkeeping;

/** A Gaussian belief about a few numbers that belong together: their mean and covariance. */
final class Belief {
  static final int ALONE = -1;

  final double[] mean;

  /** Row-major {@code [size * size]}. */
  final double[] covariance;

  /** First row in the {@link JointCovariance}, or {@link #ALONE}. */
  int row = ALONE;

  /** Grows with every change, so that whatever was computed from it can be cached. */
  int version;

  Belief(int size) {
    mean = new double[size];
    covariance = new double[size * size];
  }

  /** One number. */
  Belief(double mean, double variance) {
    this(1);
    this.mean[0] = mean;
    this.covariance[0] = variance;
  }

  int size() {
    return mean.length;
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

  /** Takes in one observation by its gain; see {@link UsageFilter}. */
  void learn(double[] gain, double step, double variance) {
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
