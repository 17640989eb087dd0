package dev.berth.service.scoring;

import org.jspecify.annotations.Nullable;

/**
 * How a policy ranks the candidates of one decision.
 *
 * @param preferences higher is better, {@code [candidates]}
 * @param base the part before the learned correction, null for a policy without such parts
 * @param correction the learned part, null likewise
 * @param first candidate to put first when {@code explored}
 * @param propensity probability that this candidate came first
 */
record Ranking(
    double[] preferences,
    double @Nullable [] base,
    double @Nullable [] correction,
    int first,
    double propensity,
    boolean explored) {
  static final Ranking NONE = new Ranking(new double[0], null, null, -1, 1, false);
}
