package dev.berth.policy.tensor;

import dev.berth.policy.network.Rows;

/** What a gradient step minimises. Rows that are padding never count. */
public sealed interface Loss {

  /**
   * Regression of one chosen output per row, as in DQN:
   *
   * <pre>mean_i w_i l(Q(s_i)[a_i] - y_i)</pre>
   *
   * @param outputs chosen output of each row, {@code [rows]}
   * @param targets {@code [rows]}
   * @param weights importance weights, {@code [rows]}
   * @param huber l is Huber's loss with delta 1 instead of the square
   */
  record Regression(Rows rows, int[] outputs, float[] targets, float[] weights, boolean huber)
      implements Loss {}

  /**
   * Regression of the decomposed Q, the difference of one value network before and after:
   *
   * <pre>sum_i w_i huber(v(after_i) - v(before_i) - y_i) / sum_i w_i</pre>
   *
   * @param targets {@code [rows]}
   * @param weights {@code [rows]}; 0 leaves a row out
   */
  record Difference(Rows after, Rows before, float[] targets, float[] weights) implements Loss {}

  /**
   * Policy gradient over candidates with full information: the softmax of the decomposed Q is moved
   * towards candidates of positive advantage, in expectation over the policy itself, with entropy:
   *
   * <pre>-mean_d [ sum_i pi_i A_i + beta H(pi) ],  pi = softmax((v(after) - v(before)) / tau)</pre>
   *
   * @param advantages {@code [rows]}
   * @param temperature tau
   * @param entropy beta
   */
  record CandidatePolicy(
      Rows after, Rows before, float[] advantages, float temperature, float entropy)
      implements Loss {}

  /**
   * Advantage actor-critic on states with a fixed set of actions; the last output is the value.
   *
   * <pre>mean_i [ -log pi(a_i) A_i + c (V_i - R_i)^2 - beta H(pi_i) ]</pre>
   *
   * @param actions taken, {@code [rows]}
   * @param advantages {@code [rows]}
   * @param returns targets of the value, {@code [rows]}
   * @param value c
   * @param entropy beta
   */
  record ActorCritic(
      Rows rows, int[] actions, float[] advantages, float[] returns, float value, float entropy)
      implements Loss {}
}
