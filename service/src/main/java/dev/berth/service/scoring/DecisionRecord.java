package dev.berth.service.scoring;

import dev.berth.policy.agent.DecisionState;
import dev.berth.policy.agent.LearnedPolicy;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.predict.Forecast;
import org.jspecify.annotations.Nullable;

/**
 * One decision with all that went into it, computed once, under the scorer's lock: reply, store,
 * explanation and trainer read it, nothing is computed again from books that have moved on. The
 * arrays are the request's own and are not copied.
 *
 * @param at seconds since the epoch
 * @param base score before the learned correction, {@code [candidates]}, null when the policy has
 *     no such part
 * @param residual the learned correction, {@code [candidates]}, null likewise
 * @param sampleAge age of each candidate's sample in seconds, NaN where it has none
 * @param ownerPods pods of the pod's owner, {@code [sound candidates]}; null for pods with GPUs,
 *     and where no pod is placed
 * @param forecast what the base reckoned with, {@code [sound candidates]}; null when it made none
 * @param learnable what a learner may learn from; null when the policy does not learn
 */
public record DecisionRecord(
    double at,
    ScoreRequest request,
    ScoreReply reply,
    double @Nullable [] base,
    double @Nullable [] residual,
    double[] sampleAge,
    int @Nullable [] ownerPods,
    @Nullable Forecast forecast,
    @Nullable Learnable learnable) {
  private static final int CANDIDATE_BYTES = 200;

  /**
   * What a learner needs of a decision.
   *
   * @param policy that made it
   * @param candidates those of which something could be said
   * @param preferences of these
   * @param first the one that was put first to learn from it, -1 if none was
   * @param arm as {@link Serving#arm}
   */
  public record Learnable(
      LearnedPolicy policy,
      Candidates candidates,
      DecisionState state,
      double[] preferences,
      int first,
      boolean arm) {}

  /** Whether its scores counted: Berth had an opinion, and did not only watch. */
  public boolean counted() {
    return request.mode() != Mode.SHADOW && reply.reason() == null;
  }

  /** The best-scored candidate, the first where several are. */
  public String best() {
    int[] scores = reply.scores();
    int best = 0;
    for (int i = 1; i < scores.length; i++) {
      best = scores[i] > scores[best] ? i : best;
    }
    return request.candidates().names()[best];
  }

  /** Bytes on the heap, about. */
  public long bytes() {
    long bytes = CANDIDATE_BYTES * (1L + reply.scores().length);
    if (learnable != null) {
      return bytes + learnable.state().bytes(); // which holds the forecast
    }
    return forecast == null ? bytes : bytes + forecast.bytes();
  }
}
