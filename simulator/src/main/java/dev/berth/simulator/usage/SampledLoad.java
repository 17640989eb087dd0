package dev.berth.simulator.usage;

import org.jspecify.annotations.Nullable;

/**
 * Recorded values as a load: linear from the middle of a step to the middle of the next, since a
 * value is the mean of its step.
 *
 * <p>What can be known of its future is the best linear forecast from its present: the deviation
 * from the mean, fading by the record's own autocorrelation.
 *
 * <p>Thread rule: one thread (the autocorrelation is computed when first asked for).
 */
final class SampledLoad implements Load {
  /** Forecasts look no further than this; beyond it the correlation stays as it is there. */
  private static final double LONGEST_LAG_SECONDS = 3600;

  private final float[] values;
  private final double unit;
  private final double stepSeconds;
  private final double offset;
  private final double span;
  private final double mean;
  private double @Nullable [] correlations;

  /**
   * Plays values back.
   *
   * @param values {@code [steps]}
   * @param unit what a value is divided by
   * @param offset seconds of the record before second 0 of the run
   * @param span seconds after which the run hears the same again
   */
  SampledLoad(float[] values, double unit, double stepSeconds, double offset, double span) {
    this.values = values;
    this.unit = unit;
    this.stepSeconds = stepSeconds;
    this.offset = offset;
    this.span = span;
    double sum = 0;
    for (float value : values) {
      sum += value;
    }
    this.mean = sum / values.length / unit;
  }

  @Override
  public double at(double t) {
    double x = (offset + t - Math.floor(t / span) * span) / stepSeconds - 0.5;
    if (x <= 0) {
      return values[0] / unit;
    }
    int i = (int) x;
    if (i >= values.length - 1) {
      return values[values.length - 1] / unit;
    }
    return (values[i] + (x - i) * (values[i + 1] - values[i])) / unit;
  }

  @Override
  public double expected(double now, double t) {
    double present = at(now);
    return t == now ? present : mean + correlation((t - now) / stepSeconds) * (present - mean);
  }

  @Override
  public double mean() {
    return mean;
  }

  private double correlation(double lag) {
    double[] known = correlations == null ? (correlations = measure()) : correlations;
    int i = (int) lag;
    return i >= known.length - 1
        ? known[known.length - 1]
        : known[i] + (lag - i) * (known[i + 1] - known[i]);
  }

  /** Autocorrelation by lag in steps, between 0 and 1. */
  private double[] measure() {
    int lags = (int) Math.min(values.length - 1, Math.ceil(LONGEST_LAG_SECONDS / stepSeconds));
    double[] out = new double[lags + 1];
    double centre = mean * unit;
    double variance = 0;
    for (float value : values) {
      variance += (value - centre) * (value - centre);
    }
    for (int lag = 0; lag <= lags; lag++) {
      double sum = 0;
      for (int i = lag; i < values.length; i++) {
        sum += (values[i] - centre) * (values[i - lag] - centre);
      }
      out[lag] = variance == 0 ? 0 : Math.max(0, sum / variance);
    }
    return out;
  }
}
