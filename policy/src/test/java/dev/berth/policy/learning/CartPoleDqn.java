package dev.berth.policy.learning;

import dev.berth.policy.network.Forward;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import dev.berth.policy.network.Workspace;
import dev.berth.policy.tensor.Adam;
import dev.berth.policy.tensor.Learner;
import dev.berth.policy.tensor.Loss;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** DQN on CartPole-v1 with the network, batch and buffer of CleanRL's dqn.py, step by step. */
final class CartPoleDqn {
  static final int BUFFER = 10_000;
  static final int TRAIN_EVERY = 10;
  static final int TARGET_EVERY = 500;
  private static final int BATCH = 128;
  private static final float GAMMA = 0.99f;

  private final SplittableRandom random;
  private final Learner learner;
  private final CartPole env;
  private final Workspace space = new Workspace();
  private final float[][] states = new float[BUFFER][];
  private final float[][] nexts = new float[BUFFER][];
  private final int[] actions = new int[BUFFER];
  private final boolean[] dones = new boolean[BUFFER];
  private Weights target;
  private int played;
  private int length;

  CartPoleDqn(long seed, double learningRate) {
    random = new SplittableRandom(seed);
    NetworkSpec spec = NetworkSpec.mlp(CartPole.INPUTS, List.of(120, 84), 2);
    learner =
        new Learner(
            Weights.random(spec, random), new Adam(spec, learningRate), Double.POSITIVE_INFINITY);
    target = learner.weights();
    env = new CartPole(random.split());
  }

  /**
   * One step of the environment, remembered.
   *
   * @return the return of the episode that ended with it, 0 when none did
   */
  int play(double epsilon) {
    float[] state = env.state();
    int action = random.nextDouble() < epsilon ? random.nextInt(2) : best(state);
    boolean fell = env.step(action);
    int at = played++ % BUFFER;
    states[at] = state;
    nexts[at] = env.state();
    actions[at] = action;
    dones[at] = fell;
    length++;
    if (!fell && !env.truncated()) {
      return 0;
    }
    int episode = length;
    length = 0;
    env.reset();
    return episode;
  }

  /** One gradient step on a batch of what is remembered. */
  void update() {
    int size = Math.min(played, BUFFER);
    float[] from = new float[BATCH * CartPole.INPUTS];
    float[] to = new float[BATCH * CartPole.INPUTS];
    int[] chosen = new int[BATCH];
    int[] drawn = new int[BATCH];
    for (int b = 0; b < BATCH; b++) {
      drawn[b] = random.nextInt(size);
      System.arraycopy(states[drawn[b]], 0, from, b * CartPole.INPUTS, CartPole.INPUTS);
      System.arraycopy(nexts[drawn[b]], 0, to, b * CartPole.INPUTS, CartPole.INPUTS);
      chosen[b] = actions[drawn[b]];
    }
    float[] after = Forward.run(target, Rows.plain(to, CartPole.INPUTS), space);
    float[] y = new float[BATCH];
    float[] ones = new float[BATCH];
    Arrays.fill(ones, 1);
    for (int b = 0; b < BATCH; b++) {
      y[b] = 1 + (dones[drawn[b]] ? 0 : GAMMA * Math.max(after[2 * b], after[2 * b + 1]));
    }
    learner.step(new Loss.Regression(Rows.plain(from, CartPole.INPUTS), chosen, y, ones, false));
  }

  /** The hard update of the target network. */
  void updateTarget() {
    target = learner.weights();
  }

  private int best(float[] state) {
    float[] q = Forward.run(learner.weights(), Rows.plain(state, CartPole.INPUTS));
    return q[1] > q[0] ? 1 : 0;
  }
}
