package dev.berth.policy.agent;

import dev.berth.policy.Decision;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.random.RandomGenerator;

/**
 * Bounded exploration: now and then a candidate near the best is put first instead of the best.
 * Never one outside the band, never one above the hot threshold, never for a pod of high priority,
 * and never more than an hourly budget. The probability of what was put first is returned, so that
 * off-policy estimates stay possible.
 *
 * <p>Thread rule: one thread.
 */
public final class Exploration {
  private final Limits limits;
  private final RandomGenerator random;
  private final Deque<Double> explored = new ArrayDeque<>();

  public Exploration(Limits limits, RandomGenerator random) {
    this.limits = limits;
    this.random = random;
  }

  /**
   * The limits.
   *
   * @param band candidates within this share of the best-to-worst range may be tried, 0..1
   * @param hot expected usage above which a node is never tried, fraction
   * @param perHour explored decisions per hour at most
   * @param priority pods of this priority and above are never explored with
   */
  public record Limits(double band, double hot, int perHour, int priority) {
    public static final Limits LIVE = new Limits(0.25, 0.8, 120, 1000);

    /** For an agent alone in the simulator: any feasible node. */
    public static final Limits FREE =
        new Limits(1, Double.POSITIVE_INFINITY, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /**
   * Maybe lifts a candidate above the best.
   *
   * @param usage expected usage of each candidate, fraction
   * @param epsilon chance to explore
   */
  public Choice choose(Decision d, double[] preferences, double[] usage, double epsilon) {
    int best = 0;
    double worst = Double.POSITIVE_INFINITY;
    for (int i = 0; i < preferences.length; i++) {
      best = preferences[i] > preferences[best] ? i : best;
      worst = Math.min(worst, preferences[i]);
    }
    double floor = preferences[best] - limits.band() * (preferences[best] - worst);
    int[] near = new int[preferences.length];
    int count = 0;
    for (int i = 0; i < preferences.length; i++) {
      if (i == best || (preferences[i] >= floor && usage[i] < limits.hot())) {
        near[count++] = i;
      }
    }
    while (!explored.isEmpty() && explored.getFirst() < d.now() - 3600) {
      explored.removeFirst();
    }
    boolean may =
        count > 1 && d.pod().priority() < limits.priority() && explored.size() < limits.perHour();
    if (!may) {
      return new Choice(best, 1, false, new int[] {best});
    }
    near = Arrays.copyOf(near, count);
    if (random.nextDouble() >= epsilon) {
      return new Choice(best, 1 - epsilon + epsilon / count, false, near);
    }
    int taken = near[random.nextInt(count)];
    if (taken == best) {
      return new Choice(best, 1 - epsilon + epsilon / count, false, near);
    }
    explored.addLast(d.now());
    return new Choice(taken, epsilon / count, true, near);
  }

  /**
   * What comes first.
   *
   * @param candidate index
   * @param propensity probability that it came first
   * @param explored whether it is not the best
   * @param near those that could have come first, itself among them
   */
  public record Choice(int candidate, double propensity, boolean explored, int[] near) {}
}
