package dev.berth.policy.cluster;

/** Windows that samples are means over, in seconds. */
public final class Windows {
  /** Share of a window that may have been learned from before: clocks and scrapes jitter. */
  private static final double MAX_OVERLAP = 0.1;

  private Windows() {}

  /**
   * Whether a window has next to nothing in common with what was learned from. A rate over a minute
   * that is asked for every five seconds tells the same eleven times over; a filter that takes
   * samples for independent would be surprised by one burst eleven times.
   *
   * @param learnedUntil end of the last window that was learned from
   */
  public static boolean news(double learnedUntil, double start, double end) {
    return learnedUntil - start <= MAX_OVERLAP * (end - start);
  }
}
