package dev.berth.policy.agent;

import dev.berth.policy.Ties;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.reward.Measurement;
import dev.berth.policy.reward.Rewards;
import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;
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
 * @param base score of the base, centred; zero for an agent alone
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
    long[] cpuMilli = Arrays.stream(kept).mapToLong(i -> c.cpuMilli()[i]).toArray();
    long[] power = Arrays.stream(kept).mapToLong(i -> s.power()[i]).toArray();
    double[] load = take(s.load(), kept);
    double[] base = take(s.base(), kept);
    double[] expected = new double[kept.length];
    if (config.correction().residual()) {
      Rewards.center(base);
      expected =
          Objective.rewards(expectedLoad(config, load, s.forecast(), kept), power, s.podCores());
    }
    boolean all = kept.length == c.size();
    return new OpenDecision(
        origin,
        s.order(),
        Arrays.stream(kept).mapToObj(i -> share.apply(c.names()[i])).toArray(String[]::new),
        cpuMilli,
        Arrays.stream(kept).map(i -> c.podCount()[i]).toArray(),
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
        firsts(take(s.base(), kept)));
  }

  /** The best and others at random, in the order of the candidates. */
  private static int[] kept(double[] preferences, int first, RandomGenerator random) {
    int n = preferences.length;
    int[] shuffled = new int[n];
    Arrays.setAll(shuffled, i -> i);
    if (n <= MAX_CANDIDATES) {
      return shuffled;
    }
    PriorityQueue<Integer> best =
        new PriorityQueue<>(BEST + 1, Comparator.comparingDouble(i -> preferences[i]));
    for (int i = 0; i < n; i++) {
      best.add(i);
      if (best.size() > BEST) {
        best.remove();
      }
    }
    if (first >= 0 && !best.contains(first)) {
      best.add(first);
    }
    int count = 0;
    boolean[] taken = new boolean[n];
    int[] kept = new int[MAX_CANDIDATES];
    for (int i : best) {
      taken[i] = true;
      kept[count++] = i;
    }
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

  private static double[] take(double[] values, int[] kept) {
    return Arrays.stream(kept).mapToDouble(i -> values[i]).toArray();
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
