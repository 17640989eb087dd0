package dev.berth.policy.predict;

/**
 * The limit that no score may push a node over: one that would be sure to evict if the pod came
 * comes behind every candidate that would not, whatever else speaks for it. Where none has room
 * nothing changes, for then a cost alone can tell who has least to lose.
 *
 * <p>Thread rule: stateless.
 */
public final class MemoryLimit {
  /** Part of their range by which a node beyond the limit stays behind the last of the others. */
  private static final double BEHIND = 0.1;

  private MemoryLimit() {}

  /**
   * Keeps preferences to the limit.
   *
   * @param room as {@link Forecast#memoryRoom}
   * @param preferences of the same candidates; changed
   */
  public static void keep(double[] room, double[] preferences) {
    double last = behind(room, preferences);
    for (int i = 0; i < preferences.length; i++) {
      if (room[i] < 1) {
        preferences[i] = Math.min(preferences[i], last);
      }
    }
  }

  /** The same in a copy. */
  public static double[] kept(double[] room, double[] preferences) {
    double[] copy = preferences.clone();
    keep(room, copy);
    return copy;
  }

  /**
   * The same for a ranking that many alike pods are placed by: a node is behind those with room
   * when as many have come to it as its memory holds.
   *
   * @param drops by how much each preference falls with a pod on its node; changed
   */
  public static void keep(double[] room, double[] preferences, double[] drops) {
    double last = behind(room, preferences);
    for (int i = 0; i < preferences.length; i++) {
      if (room[i] >= 1 && Double.isFinite(preferences[i])) {
        drops[i] = Math.max(drops[i], (preferences[i] - last) / Math.floor(room[i]));
      }
    }
    keep(room, preferences);
  }

  /** The most that a node beyond the limit may be preferred; infinite where all are. */
  private static double behind(double[] room, double[] preferences) {
    double worst = Double.POSITIVE_INFINITY;
    double best = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < preferences.length; i++) {
      if (room[i] >= 1 && Double.isFinite(preferences[i])) {
        worst = Math.min(worst, preferences[i]);
        best = Math.max(best, preferences[i]);
      }
    }
    return worst - (best > worst ? BEHIND * (best - worst) : 1);
  }
}
