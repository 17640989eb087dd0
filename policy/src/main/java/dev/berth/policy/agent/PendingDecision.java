package dev.berth.policy.agent;

import dev.berth.policy.Decision;
import dev.berth.policy.features.FeatureRows;
import dev.berth.policy.network.Rows;
import dev.berth.policy.predict.Forecast;
import dev.berth.policy.replay.ReplayBuffer;
import dev.berth.policy.replay.Transition;
import dev.berth.policy.reward.Measurement;
import dev.berth.policy.reward.Rewards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * A decision that waits for its reward. What the network will see of it is kept for the {@code
 * picked} candidates only, {@code [width]}; what says how every candidate fared, for all.
 *
 * @param at time of the decision, seconds
 * @param order binds before it, see {@link dev.berth.policy.state.ClusterState#binds}
 * @param picked indexes of candidates, the chosen one first; -1 pads
 * @param chosen index of the candidate that was taken
 * @param base score of the base, centred, {@code [width]}; zero for an agent alone
 * @param expected reward that the base expects, {@code [width]}; zero for an agent alone
 * @param clips largest correction, {@code [width]}
 * @param load before the placement, as a fraction of the node, {@code [candidates]}
 * @param podCores what the pod adds
 * @param atOnce rewards known at the decision, {@code [candidates]}
 */
record PendingDecision(
    String podUid,
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
    Measurement.Limits limits,
    int[] podCount,
    double[] atOnce) {

  /**
   * @param reference says what the base thinks of the candidates
   * @param random picks candidates where there are more than the network is shown
   */
  static PendingDecision of(
      AgentConfig config, LearnedPolicy reference, Decision d, int chosen, RandomGenerator random) {
    int n = d.candidates().size();
    Forecast forecast = reference.predictor().forecast(d);
    FeatureRows rows = AgentNetwork.rows(config, d, forecast);
    double[] load = config.task().objective().load(d, forecast);
    double podCores = config.task().objective().podCores(d, forecast);
    double[] base = new double[n];
    double[] expected = new double[n];
    if (config.correction().residual()) {
      reference.base(d, forecast, base);
      Rewards.center(base);
      expected =
          Objective.rewards(
              expectedLoad(config, load, forecast), d.candidates().cpuMilli(), podCores);
    }
    double[] clips = ValueDifference.clips(d, load, podCores, config.correction().clip());
    int[] picked = pick(n, chosen, config.replay().width(), random);
    return new PendingDecision(
        d.pod().uid(),
        d.now(),
        d.state().binds(),
        rows.select(rows.before(), picked),
        rows.select(rows.after(), picked),
        picked,
        chosen,
        take(base, picked),
        take(expected, picked),
        take(clips, picked),
        ReplayBuffer.stratum(mean(load), podCores * 1000 / d.candidates().cpuMilli()[chosen]),
        d.candidates().names(),
        d.candidates().cpuMilli(),
        load,
        podCores,
        config.task().rewards().limits(d),
        d.candidates().podCount(),
        config.task().rewards().atOnce(d));
  }

  /**
   * What the base expects to be measured: its forecast for the middle of the measured window. A
   * residual learns what the forecast gets wrong, not that the base looks further ahead than the
   * window does.
   */
  private static double[] expectedLoad(AgentConfig config, double[] now, Forecast f) {
    double middle = config.task().settleSeconds() + config.task().windowSeconds() / 2;
    if (config.task().objective() == Objective.REQUESTS || f.horizons().length < 2) {
      return now;
    }
    double share = Math.min(1, middle / f.horizons()[1]);
    double[] out = new double[now.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = (1 - share) * f.before()[0][i] + share * f.before()[1][i];
    }
    return out;
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

  /** What the decision taught, by the picked candidates' rewards, {@code [width]}. */
  Transition transition(float[] rewards) {
    return new Transition(before, after, base, expected, rewards, clips, 0, stratum);
  }
}
