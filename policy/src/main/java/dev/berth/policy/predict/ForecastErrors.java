package dev.berth.policy.predict;

/**
 * Errors of forecasts: their mean, their size, and how many lie inside the interval that each
 * forecast stated to hold 80 %. Errors are fractions of a node's CPU.
 *
 * <p>Thread rule: one thread at a time.
 */
public final class ForecastErrors {
  /** Four fifths of a normal variable lie within so many standard deviations. */
  public static final double Z80 = 1.2816;

  private final ErrorSizes sizes = new ErrorSizes();
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
   * Takes in one outcome less its forecast.
   *
   * @param spread standard deviation that the forecast stated when it was made
   */
  public void add(double error, double spread) {
    weight++;
    sum += error;
    squares += error * error;
    inside += Math.abs(error) <= Z80 * spread ? 1 : 0;
    sizes.add(error);
  }

  /** Takes in all errors of another run. */
  public void addAll(ForecastErrors other) {
    weight += other.weight;
    sum += other.sum;
    squares += other.squares;
    inside += other.inside;
    sizes.addAll(other.sizes);
  }

  /** Lets all so far count for this share, 0..1. */
  void fade(double share) {
    weight *= share;
    sum *= share;
    squares *= share;
    inside *= share;
    sizes.fade(share);
  }

  /** What is known so far. */
  public Accuracy accuracy() {
    return new Accuracy(
        weight,
        sum / weight,
        Math.sqrt(squares / weight),
        inside / weight,
        weight > 0 ? sizes.quantile(0.8) / Z80 : Double.NaN);
  }
}
