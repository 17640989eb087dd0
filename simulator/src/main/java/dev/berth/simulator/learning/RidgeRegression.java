package dev.berth.simulator.learning;

import java.util.List;

/** Least squares with a penalty on the standardised coefficients (Hoerl and Kennard, 1970). */
public final class RidgeRegression {
  /** An input that varies less is constant but for the rounding of floats: it tells nothing. */
  private static final double CONSTANT = 1e-6;

  private final double[] mean;
  private final double[] scale;
  private final double[] coefficients;
  private final double intercept;

  private RidgeRegression(double[] mean, double[] scale, double[] coefficients, double intercept) {
    this.mean = mean;
    this.scale = scale;
    this.coefficients = coefficients;
    this.intercept = intercept;
  }

  /**
   * Fits.
   *
   * @param penalty in rows' worth of evidence against every coefficient
   */
  public static RidgeRegression fit(List<double[]> inputs, double[] targets, double penalty) {
    int p = inputs.get(0).length;
    int n = targets.length;
    double[] mean = new double[p];
    double[] scale = new double[p];
    for (double[] x : inputs) {
      for (int k = 0; k < p; k++) {
        mean[k] += x[k] / n;
      }
    }
    for (double[] x : inputs) {
      for (int k = 0; k < p; k++) {
        scale[k] += (x[k] - mean[k]) * (x[k] - mean[k]) / n;
      }
    }
    double intercept = 0;
    for (double y : targets) {
      intercept += y / n;
    }
    for (int k = 0; k < p; k++) {
      double std = Math.sqrt(scale[k]);
      scale[k] = std > CONSTANT ? 1 / std : 0;
    }
    double[][] normal = new double[p][p + 1];
    double[] z = new double[p];
    for (int i = 0; i < n; i++) {
      double[] x = inputs.get(i);
      for (int k = 0; k < p; k++) {
        z[k] = (x[k] - mean[k]) * scale[k];
      }
      for (int k = 0; k < p; k++) {
        for (int j = k; j < p; j++) {
          normal[k][j] += z[k] * z[j];
        }
        normal[k][p] += z[k] * (targets[i] - intercept);
      }
    }
    for (int k = 0; k < p; k++) {
      normal[k][k] += penalty;
      for (int j = 0; j < k; j++) {
        normal[k][j] = normal[j][k];
      }
    }
    return new RidgeRegression(mean, scale, solve(normal), intercept);
  }

  /** Gaussian elimination; a penalty makes the matrix positive definite, so no pivoting. */
  private static double[] solve(double[][] a) {
    int p = a.length;
    for (int k = 0; k < p; k++) {
      for (int i = k + 1; i < p; i++) {
        double f = a[i][k] / a[k][k];
        for (int j = k; j <= p; j++) {
          a[i][j] -= f * a[k][j];
        }
      }
    }
    double[] out = new double[p];
    for (int k = p - 1; k >= 0; k--) {
      double sum = a[k][p];
      for (int j = k + 1; j < p; j++) {
        sum -= a[k][j] * out[j];
      }
      out[k] = sum / a[k][k];
    }
    return out;
  }

  public double predict(double[] x) {
    double sum = intercept;
    for (int k = 0; k < x.length; k++) {
      sum += coefficients[k] * (x[k] - mean[k]) * scale[k];
    }
    return sum;
  }

  /** Share of the targets' square that the prediction explains; 0 is as good as predicting 0. */
  public double explained(List<double[]> inputs, double[] targets) {
    double left = 0;
    double all = 0;
    for (int i = 0; i < targets.length; i++) {
      double error = targets[i] - predict(inputs.get(i));
      left += error * error;
      all += targets[i] * targets[i];
    }
    return 1 - left / all;
  }
}
