package dev.berth.policy.learning;

/**
 * The bootstrapped part of double DQN's target (van Hasselt et al., AAAI 2016): the online network
 * chooses the next action, the target network says what it is worth, so that an overestimate of one
 * does not choose itself.
 */
public final class DoubleDqn {
  private DoubleDqn() {}

  /**
   * Worth of the best of the next rows {@code [from, to)}, 0 without a valid one.
   *
   * @param online Q of every row by the network that learns
   * @param target the same by the target network
   * @param valid rows that count
   */
  public static float next(float[] online, float[] target, boolean[] valid, int from, int to) {
    int best = -1;
    for (int i = from; i < to; i++) {
      if (valid[i] && (best < 0 || online[i] > online[best])) {
        best = i;
      }
    }
    return best < 0 ? 0 : target[best];
  }
}
