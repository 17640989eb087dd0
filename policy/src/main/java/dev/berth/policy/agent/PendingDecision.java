package dev.berth.policy.agent;

import dev.berth.policy.network.Rows;
import dev.berth.policy.replay.ReplayBuffer;
import dev.berth.policy.replay.Transition;
import dev.berth.policy.reward.Measurement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A decision that waits for its reward. What the network will see of it is kept for the {@code
 * picked} candidates only, {@code [width]}; what says how every candidate fared, for all.
 *
 * @param at time of the placement, seconds
 * @param order binds before the decision, see {@link dev.berth.policy.state.ClusterState#binds}
 * @param picked indexes of candidates, the chosen one first; -1 pads
 * @param chosen index of the candidate that was taken
 * @param base score of the base, centred, {@code [width]}; zero for an agent alone
 * @param expected reward that the base expects, {@code [width]}; zero for an agent alone
 * @param clips largest correction, {@code [width]}
 * @param load before the placement, as a fraction of the node, {@code [candidates]}
 * @param podCores what the pod adds on a node of average speed
 * @param power capacities in such cores, milli, {@code [candidates]}
 * @param immediateRewards rewards known at the decision, {@code [candidates]}
 * @param ranked whether it was chosen because it was ranked first
 * @param baseFirst whom the base alone would have put first, {@code [candidates]}
 */
record PendingDecision(
    Origin origin,
    double at,
    long order,
    Rows before,
    Rows after,
    int[] picked,
    int chosen,
    float[] base,
    float[] expected,
    float[] clips,
    int stratum,
    String[] names,
    long[] cpuMilli,
    double[] load,
    double podCores,
    long[] power,
    Measurement.Limits limits,
    int[] podCount,
    double[] immediateRewards,
    boolean ranked,
    boolean[] baseFirst) {
  private static final int CANDIDATE_BYTES = 41;
  private static final int OWN_BYTES = 800;

  /**
   * @param random picks candidates where there are more than the network is shown
   */
  static PendingDecision of(
      OpenDecision o, int chosen, double at, int width, RandomGenerator random) {
    int[] picked = pick(o.names().length, chosen, width, random);
    return new PendingDecision(
        o.origin(),
        at,
        o.order(),
        o.rows().select(o.rows().before(), picked),
        o.rows().select(o.rows().after(), picked),
        picked,
        chosen,
        take(o.base(), picked),
        take(o.expected(), picked),
        take(o.clips(), picked),
        ReplayBuffer.stratum(mean(o.load()), o.podCores() * 1000 / o.power()[chosen]),
        o.names(),
        o.cpuMilli(),
        o.load(),
        o.podCores(),
        o.power(),
        o.limits(),
        o.podCount(),
        o.immediateRewards(),
        o.origin().counted() && o.first()[chosen],
        o.baseFirst());
  }

  /** The chosen candidate first, then others at random; -1 pads. */
  private static int[] pick(int n, int chosen, int width, RandomGenerator random) {
    int[] picked = new int[width];
    Arrays.fill(picked, -1);
    picked[0] = chosen;
    if (n <= width) {
      for (int i = 0, at = 1; i < n; i++) {
        if (i != chosen) {
          picked[at++] = i;
        }
      }
      return picked;
    }
    List<Integer> seen = new ArrayList<>(List.of(chosen));
    while (seen.size() < width) {
      int candidate = random.nextInt(n);
      if (!seen.contains(candidate)) {
        picked[seen.size()] = candidate;
        seen.add(candidate);
      }
    }
    return picked;
  }

  /** The values of the picked candidates, zero for padding, {@code [width]}. */
  float[] take(double[] values) {
    return take(values, picked);
  }

  private static float[] take(double[] values, int[] picked) {
    float[] out = new float[picked.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = picked[i] < 0 ? 0 : (float) values[picked[i]];
    }
    return out;
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double v : values) {
      sum += v / values.length;
    }
    return sum;
  }

  /** What became of it, by the rewards of all candidates. */
  Settled settled(double[] rewards) {
    double sum = 0;
    int measured = 0;
    for (int i = 0; i < baseFirst.length; i++) {
      if (baseFirst[i] && !Double.isNaN(rewards[i])) {
        sum += rewards[i];
        measured++;
      }
    }
    double ofBase = measured == 0 ? Double.NaN : sum / measured;
    return new Settled(origin, at, (float) rewards[chosen], rewards[chosen] - ofBase, ranked);
  }

  /** Bytes on the heap without the names, which are shared; about. */
  long bytes() {
    return OWN_BYTES
        + (long) CANDIDATE_BYTES * names.length
        + 4L * (before.features().length + after.features().length + 6 * picked.length);
  }

  /** What the decision taught, by the picked candidates' rewards, {@code [width]}. */
  Transition transition(float[] rewards) {
    return new Transition(before, after, base, expected, rewards, clips, 0, stratum);
  }
}
