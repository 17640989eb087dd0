package dev.berth.service.regret;

import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.PlacementCost;
import dev.berth.service.scoring.DecisionRecord;
import dev.berth.service.scoring.Measured;
import dev.berth.service.store.Choice;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A decision whose pod has no node yet, as far as it is needed to judge where it goes. The arrays
 * are the decision's own.
 *
 * @param sound candidates that the forecast is of
 * @param expected of them five minutes after, without the pod, share of a node; null where nothing
 *     was forecast, and so are the next two
 * @param power of them
 * @param podCores expected of the pod by then
 */
record Asked(
    String decision,
    double at,
    String owner,
    boolean byBerth,
    boolean opinion,
    String[] names,
    int[] scores,
    int[] sound,
    double @Nullable [] expected,
    long @Nullable [] power,
    double podCores) {
  private static final int OWN_BYTES = 500;

  /** Score, place, expectation and power; names are mostly those of the question before. */
  private static final int CANDIDATE_BYTES = 40;

  /**
   * A choice and what it takes to judge it again when its time has come.
   *
   * @param costs null where nothing was forecast, or where both nodes are one
   */
  record Placed(Choice choice, @Nullable CostDifference costs) {}

  static Asked of(DecisionRecord d) {
    Forecast f = d.forecast();
    int h = f == null ? -1 : horizon(f);
    boolean opinion = d.reply().reason() == null;
    return new Asked(
        d.request().decision(),
        d.at(),
        d.request().pod().owner(),
        d.counted(),
        opinion,
        d.request().candidates().names(),
        d.reply().scores(),
        d.request().candidates().sound(),
        f == null || h < 0 ? null : f.before()[h],
        f == null || h < 0 ? null : f.power(),
        f == null || h < 0 ? Double.NaN : f.podCores()[h]);
  }

  private static int horizon(Forecast f) {
    return IntStream.range(0, f.horizons().length)
        .filter(h -> f.horizons()[h] == Measured.AFTER_SECONDS)
        .findFirst()
        .orElse(-1);
  }

  /** Bytes on the heap, about. */
  long bytes() {
    return OWN_BYTES + (long) CANDIDATE_BYTES * names.length;
  }

  /** What is to be said when the pod has got a node; null when that was no candidate. */
  @Nullable Placed placedOn(String node) {
    int here = Arrays.asList(names).indexOf(node);
    if (here < 0) {
      return null;
    }
    if (!opinion) {
      return new Placed(choice(node, null, null), null);
    }
    int ours = ours(here);
    if (ours == here) {
      return new Placed(choice(node, node, expected == null ? null : 0.0), null);
    }
    int rowHere = Arrays.binarySearch(sound, here);
    int rowOurs = Arrays.binarySearch(sound, ours);
    if (expected == null || power == null || rowHere < 0 || rowOurs < 0) {
      return new Placed(choice(node, names[ours], null), null);
    }
    CostDifference costs =
        new CostDifference(
            Arrays.stream(expected).average().orElse(Double.NaN),
            PlacementCost.spread(expected),
            expected.length,
            1000 * podCores / power[rowHere],
            1000 * podCores / power[rowOurs]);
    double regret = costs.regret(expected[rowHere], expected[rowOurs]);
    return new Placed(choice(node, names[ours], regret), costs);
  }

  private Choice choice(String node, @Nullable String ours, @Nullable Double regret) {
    return new Choice(decision, at, owner, byBerth, node, ours, regret, null, null);
  }

  /** The best-scored; of several the pod's own, as the scheduler would take any of them. */
  private int ours(int here) {
    int best = here;
    for (int i = 0; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return best;
  }
}
