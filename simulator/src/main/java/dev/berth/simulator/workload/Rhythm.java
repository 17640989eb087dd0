package dev.berth.simulator.workload;

/**
 * When the Deployments of a list arrive: a first share of them in quick succession, a pause, then
 * the rest one by one. One rhythm serves both clocks, the simulator's and the local cluster's.
 *
 * @param first share of the list that comes before the pause, 0..1
 * @param firstEverySeconds time between two Deployments of the first share
 * @param pauseSeconds between the two parts
 * @param everySeconds time between two Deployments of the rest
 */
public record Rhythm(
    double first, double firstEverySeconds, double pauseSeconds, double everySeconds) {
  /** The simulator's own: a Deployment every 40 s. */
  public static final Rhythm DEFAULT = new Rhythm(0, 0, 0, 40);

  public Rhythm {
    if (!(first >= 0 && first <= 1)) {
      throw new IllegalArgumentException("first must be a share of the list, 0..1, got " + first);
    }
    if (!(firstEverySeconds >= 0 && pauseSeconds >= 0 && everySeconds >= 0)) {
      throw new IllegalArgumentException("first_every, pause and every must not be negative");
    }
  }

  /** How many of {@code n} Deployments come before the pause. */
  public int early(int n) {
    return (int) (first * n);
  }

  /** Seconds from the start of the list to the end of the pause. */
  public double restBegins(int n) {
    return early(n) * firstEverySeconds + pauseSeconds;
  }

  /** Seconds from Deployment {@code i} of {@code n} to the next one. */
  double gap(int i, int n) {
    int early = early(n);
    return i >= early ? everySeconds : firstEverySeconds + (i == early - 1 ? pauseSeconds : 0);
  }
}
