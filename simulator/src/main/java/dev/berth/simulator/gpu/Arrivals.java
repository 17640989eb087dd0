package dev.berth.simulator.gpu;

import dev.berth.policy.cluster.PodRequests;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.random.RandomGenerator;

/** The order in which pods arrive in the published fill-up experiment. */
public final class Arrivals {

  private Arrivals() {}

  /**
   * The whole list shuffled, then samples with replacement until GPU demand reaches {@code demand}
   * times capacity; a list that exceeds it by itself loses random pods instead.
   *
   * <p>Published quirks are kept: the shuffled list always comes first, and sampling ends at the
   * first pod whose milli <em>per card</em> would pass the target.
   */
  public static List<PodRequests> fillUp(GpuTrace trace, double demand, RandomGenerator random) {
    List<PodRequests> listed = trace.shapes();
    List<PodRequests> arrivals = new ArrayList<>(listed);
    shuffle(arrivals, random);
    double target = demand * trace.capacityMilli();
    long total = arrivals.stream().mapToLong(pod -> pod.gpu().totalMilli()).sum();
    while (total > target) {
      total -= arrivals.remove(random.nextInt(arrivals.size())).gpu().totalMilli();
    }
    if (arrivals.size() < listed.size()) {
      return arrivals;
    }
    while (true) {
      PodRequests pod = listed.get(random.nextInt(listed.size()));
      if (total + pod.gpu().milli() > target) {
        return arrivals;
      }
      total += pod.gpu().totalMilli();
      arrivals.add(pod);
    }
  }

  /** Fisher and Yates; {@code Collections.shuffle} would insist on the older generator. */
  static <T> void shuffle(List<T> list, RandomGenerator random) {
    for (int i = list.size() - 1; i > 0; i--) {
      Collections.swap(list, i, random.nextInt(i + 1));
    }
  }
}
