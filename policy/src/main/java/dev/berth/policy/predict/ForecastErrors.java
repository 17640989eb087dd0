package dev.berth.policy.predict;

import java.util.Arrays;

/**
 * Errors of forecasts that all state the same spread: their mean, their size, and how many lie
 * inside the interval that is stated to hold 80 % of them. Errors are fractions of a node's CPU.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class ForecastErrors {
  /** Four fifths of a normal variable lie within so many standard deviations. */
  public static final double Z80 = 1.2816;

  private static final double BIN = 0.0025;
  private static final int BINS = 200;

  private final double spread;
  private final double[] sizes = new double[BINS + 1];
  private double weight;
  private double sum;
  private double squares;
  private double inside;

  /**
   * How good the forecasts have been; all but {@code outcomes} are NaN without outcomes.
   *
   * @param outcomes compared, each counting less the older it is
   * @param bias mean of outcome less forecast; positive where more was used than expected
   * @param rmse root mean square of the same
   * @param inside share of outcomes inside the stated 80 % interval
   * @param calibratedSpread standard deviation whose 80 % interval would have held 80 % of them
   */
  public record Accuracy(
      double outcomes, double bias, double rmse, double inside, double calibratedSpread) {}

  /**
   * @param spread stated standard deviation of a forecast
   */
  public ForecastErrors(double spread) {
    this.spread = spread;
  }

  /** Takes in one outcome less its forecast. */
  public void add(double error) {
    weight++;
    sum += error;
    squares += error * error;
    inside += Math.abs(error) <= Z80 * spread ? 1 : 0;
    sizes[(int) Math.min(BINS, Math.abs(error) / BIN)]++;
  }

  /** Takes in all errors of another run; both must state the same spread. */
  public void addAll(ForecastErrors other) {
    weight += other.weight;
    sum += other.sum;
    squares += other.squares;
    inside += other.inside;
    Arrays.setAll(sizes, i -> sizes[i] + other.sizes[i]);
  }

  /** Lets all so far count for this share, 0..1. */
  void fade(double share) {
    weight *= share;
    sum *= share;
    squares *= share;
    inside *= share;
    Arrays.setAll(sizes, i -> share * sizes[i]);
  }

  /** What is known so far. */
  public Accuracy accuracy() {
    return new Accuracy(
        weight,
        sum / weight,
        Math.sqrt(squares / weight),
        inside / weight,
        weight > 0 ? quantile80() / Z80 : Double.NaN);
  }

  /** Size that 80 % of the errors do not exceed, to the middle of a bin. */
  private double quantile80() {
    double seen = 0;
    int bin = -1;
    while (bin < BINS && seen < 0.8 * weight) {
      bin++;
      seen += sizes[bin];
    }
    return (bin + 0.5) * BIN;
  }
}
