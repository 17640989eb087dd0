package dev.berth.policy.agent;

import dev.berth.policy.Ties;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.predict.MemoryLimit;
import dev.berth.policy.reward.Measurement;
import dev.berth.policy.reward.Rewards;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * A decision whose pod is not bound yet, as far as it can be learned from: any of its candidates
 * may turn out to be the chosen one. Of more than {@link #MAX_CANDIDATES} the best are kept, which
 * is where pods go, and others at random, and it is learned from as if only these had been feasible
 * (which is how kube-scheduler itself treats large clusters).
 *
 * @param origin of the decision
 * @param order binds before it, see {@link dev.berth.policy.state.ClusterState#binds}
 * @param rows what the network saw
 * @param base score of the base within the {@link MemoryLimit}, centred; of no use to an agent
 *     alone
 * @param expected reward that the base expects; zero for an agent alone
 * @param clips largest correction
 * @param load before the placement, as a fraction of the node
 * @param podCores what the pod adds on a node of average speed
 * @param power capacities in such cores, milli
 * @param immediateRewards rewards known at the decision
 * @param first the candidates that were ranked first: the best one, or all that tie for it
 * @param baseFirst the candidates that the base alone would have put first
 */
public record OpenDecision(
    Origin origin,
    long order,
    String[] names,
    long[] cpuMilli,
    int[] podCount,
    FeatureRows rows,
    double[] base,
    double[] expected,
    double[] clips,
    double[] load,
    double podCores,
    long[] power,
    Measurement.Limits limits,
    double[] immediateRewards,
    boolean[] first,
    boolean[] baseFirst) {
  /** More than kube-scheduler shows of any but the largest clusters. */
  static final int MAX_CANDIDATES = 256;

  private static final int BEST = 32;
  private static final int CANDIDATE_BYTES = 78;
  private static final int OWN_BYTES = 700;

  /**
   * Reads no cluster state: no lock is needed.
   *
   * @param preferences of all candidates, higher is better
   * @param first candidate that was put first whatever its preference, -1 if none was
   * @param share gives one instance for equal names; a waiting decision must not hold its own
   * @param random picks candidates where there are too many
   */
  public static OpenDecision of(
      AgentConfig config,
      Origin origin,
      Candidates c,
      DecisionState s,
      double[] preferences,
      int first,
      UnaryOperator<String> share,
      RandomGenerator random) {
    int[] kept = kept(preferences, first, random);
    long[] power = take(s.power(), kept);
    double[] load = take(s.load(), kept);
    // The base alone places no pod where memory will not hold it: nothing is held against such a
    // node.
    double[] base = MemoryLimit.kept(take(s.forecast().memoryRoom(), kept), take(s.base(), kept));
    boolean[] baseFirst = firsts(base);
    double[] expected = new double[kept.length];
    if (config.correction().residual()) {
      Rewards.center(base);
      expected =
          Objective.rewards(expectedLoad(config, load, s.forecast(), kept), power, s.podCores());
    }
    boolean all = kept.length == c.size();
    String[] names = new String[kept.length];
    int[] podCount = new int[kept.length];
    for (int k = 0; k < kept.length; k++) {
      names[k] = share.apply(c.names()[kept[k]]);
      podCount[k] = c.podCount()[kept[k]];
    }
    return new OpenDecision(
        origin,
        s.order(),
        names,
        take(c.cpuMilli(), kept),
        podCount,
        all ? s.rows().all() : s.rows().of(kept),
        base,
        expected,
        take(s.clips(), kept),
        load,
        s.podCores(),
        power,
        all ? s.limits() : s.limits().of(kept),
        take(s.immediateRewards(), kept),
        firsts(take(preferences, kept)),
        baseFirst);
  }

  /** The best and others at random, in the order of the candidates. */
  private static int[] kept(double[] preferences, int first, RandomGenerator random) {
    int n = preferences.length;
    int[] shuffled = new int[n];
    Arrays.setAll(shuffled, i -> i);
    if (n <= MAX_CANDIDATES) {
      return shuffled;
    }
    int[] best = best(preferences, first);
    boolean[] taken = new boolean[n];
    int[] kept = new int[MAX_CANDIDATES];
    for (int i : best) {
      taken[i] = true;
    }
    int count = best.length;
    System.arraycopy(best, 0, kept, 0, count);
    for (int at = 0; count < kept.length; at++) {
      int other = at + random.nextInt(n - at);
      int candidate = shuffled[other];
      shuffled[other] = shuffled[at];
      if (!taken[candidate]) {
        kept[count++] = candidate;
      }
    }
    Arrays.sort(kept);
    return kept;
  }

  /** The most preferred, and the one that was put first if it is not among them. */
  private static int[] best(double[] preferences, int first) {
    int[] best = new int[BEST + 1]; // the most preferred at the front
    int size = 0;
    boolean has = first < 0;
    for (int i = 0; i < preferences.length; i++) {
      if (size == BEST && !(preferences[i] > preferences[best[BEST - 1]])) {
        continue;
      }
      int at = size < BEST ? size++ : BEST - 1;
      for (; at > 0 && preferences[best[at - 1]] < preferences[i]; at--) {
        best[at] = best[at - 1];
      }
      best[at] = i;
    }
    for (int i = 0; i < size; i++) {
      has |= best[i] == first;
    }
    if (!has) {
      best[size++] = first;
    }
    return Arrays.copyOf(best, size);
  }

  /**
   * What the base expects to be measured: its forecast for the middle of the measured window. A
   * residual learns what the forecast gets wrong, not that the base looks further ahead than the
   * window does.
   */
  private static double[] expectedLoad(AgentConfig config, double[] now, Forecast f, int[] kept) {
    double middle = config.task().settleSeconds() + config.task().windowSeconds() / 2;
    if (config.task().objective() == Objective.REQUESTS || f.horizons().length < 2) {
      return now;
    }
    double share = Math.min(1, middle / f.horizons()[1]);
    double[] out = new double[kept.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (1 - share) * f.before()[0][kept[i]] + share * f.before()[1][kept[i]];
    }
    return out;
  }

  /** The values of some candidates, in the order given. */
  static double[] take(double[] values, int[] kept) {
    double[] taken = new double[kept.length];
    for (int k = 0; k < taken.length; k++) {
      taken[k] = values[kept[k]];
    }
    return taken;
  }

  private static long[] take(long[] values, int[] kept) {
    long[] taken = new long[kept.length];
    for (int k = 0; k < taken.length; k++) {
      taken[k] = values[kept[k]];
    }
    return taken;
  }

  /** The best of some preferences, and all that tie for it: who gets the highest score. */
  private static boolean[] firsts(double[] preferences) {
    double best = Double.NEGATIVE_INFINITY;
    for (double p : preferences) {
      best = p > best ? p : best;
    }
    double threshold = Ties.threshold(best);
    boolean[] firsts = new boolean[preferences.length];
    for (int i = 0; i < firsts.length; i++) {
      firsts[i] = preferences[i] >= threshold;
    }
    return firsts;
  }

  /** The id of the decision. */
  public String id() {
    return origin.decision();
  }

  /** The candidate with this name, -1 if it was not kept. */
  public int indexOf(String node) {
    return Arrays.asList(names).indexOf(node);
  }

  /** Bytes on the heap without the names, which are shared; about. */
  public long bytes() {
    return OWN_BYTES
        + (long) CANDIDATE_BYTES * names.length
        + 4L * (rows.before().length + rows.after().length);
  }
}
