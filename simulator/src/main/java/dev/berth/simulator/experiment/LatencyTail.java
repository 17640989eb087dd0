package dev.berth.simulator.experiment;

/**
 * Quantiles of request latency over nodes and time. On a node the sojourn time of an M/M/1 queue is
 * exponential around its mean (Kleinrock, Queueing Systems I, 1975, 3.2), and {@link
 * dev.berth.simulator.usage.Contention#latencyMillis} gives that mean from the node's CPU demand;
 * so the latency of all requests is a mixture of exponentials, one for each mean that was seen.
 *
 * <p>Means are kept in bins of one per cent; thread rule: one thread.
 */
final class LatencyTail {
  private static final double BIN = Math.log(1.01);
  private static final double MIN_MILLIS = 1;
  private static final int BINS = 1200; // up to 150 s
  private static final int HALVINGS = 60;

  private final double[] weights = new double[BINS];
  private double total;

  /**
   * Adds requests.
   *
   * @param meanMillis mean latency of their node at that moment
   * @param weight how many requests, on any scale
   */
  void add(double meanMillis, double weight) {
    int bin = (int) (Math.log(meanMillis / MIN_MILLIS) / BIN);
    weights[Math.max(0, Math.min(BINS - 1, bin))] += weight;
    total += weight;
  }

  /** Milliseconds that a share of all requests stays below; 0 without any request. */
  double quantile(double share) {
    if (total == 0) {
      return 0;
    }
    double low = 0;
    double high = mean(BINS);
    while (above(high) > 1 - share) {
      high *= 2;
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      if (above(middle) > 1 - share) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** Share of requests slower than this. */
  private double above(double millis) {
    double sum = 0;
    for (int i = 0; i < BINS; i++) {
      sum += weights[i] == 0 ? 0 : weights[i] * Math.exp(-millis / mean(i + 0.5));
    }
    return sum / total;
  }

  private static double mean(double bin) {
    return MIN_MILLIS * Math.exp(bin * BIN);
  }
}
