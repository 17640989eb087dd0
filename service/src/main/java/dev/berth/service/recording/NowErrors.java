package dev.berth.service.recording;

/**
 * Forecasts of one instant against the truth, over nodes, as fractions of a node; summed up over
 * many instants. What placement goes by is which node is fuller than which, so the error is that of
 * deviations from the mean over nodes; the mean's own error is the bias.
 *
 * <p>Thread rule: one thread.
 */
final class NowErrors {
  private double squares;
  private double truthSquares;
  private double bias;
  private double correlation;
  private int instants;

  /**
   * @param expected by node
   * @param truth by node, the same order
   */
  void add(double[] expected, double[] truth) {
    int n = expected.length;
    double meanExpected = mean(expected);
    double meanTruth = mean(truth);
    double xx = 0;
    double yy = 0;
    double xy = 0;
    for (int i = 0; i < n; i++) {
      double x = expected[i] - meanExpected;
      double y = truth[i] - meanTruth;
      xx += x * x;
      yy += y * y;
      xy += x * y;
    }
    squares += (xx - 2 * xy + yy) / n;
    truthSquares += yy / n;
    bias += meanExpected - meanTruth;
    correlation += xx * yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
    instants++;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double v : values) {
      sum += v;
    }
    return sum / values.length;
  }

  int instants() {
    return instants;
  }

  /** Root mean square; NaN without an instant, as everything below. */
  double rmse() {
    return Math.sqrt(squares / instants);
  }

  /** Standard deviation over nodes of what they really did: all there is to even out. */
  double truthStd() {
    return Math.sqrt(truthSquares / instants);
  }

  /** Mean of expected less true; positive where too much was expected. */
  double bias() {
    return bias / instants;
  }

  /** Mean over instants of the correlation over nodes. */
  double correlation() {
    return correlation / instants;
  }
}
