package dev.berth.policy.learning;

import dev.berth.policy.network.Forward;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.policy.tensor.Learner;
import dev.berth.policy.tensor.Loss;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/** DQN with the settings of CleanRL's dqn.py, and advantage actor-critic, on CartPole-v1. */
final class CartPoleAgents {
  private static final int BATCH = 128;
  private static final int BUFFER = 10_000;
  private static final float GAMMA = 0.99f;

  private CartPoleAgents() {}

  /** Mean return of the last 100 training episodes. */
  static double dqn(long seed, int totalSteps, int learningStarts, double learningRate) {
    SplittableRandom random = new SplittableRandom(seed);
    NetworkSpec spec = NetworkSpec.mlp(CartPole.INPUTS, List.of(120, 84), 2);
    Learner learner =
        new Learner(
            Weights.random(spec, random), new Adam(spec, learningRate), Double.POSITIVE_INFINITY);
    Weights target = learner.weights();
    CartPole env = new CartPole(random.split());
    float[][] states = new float[BUFFER][];
    float[][] nexts = new float[BUFFER][];
    int[] actions = new int[BUFFER];
    boolean[] dones = new boolean[BUFFER];
    Deque<Integer> returns = new ArrayDeque<>();
    int length = 0;
    for (int t = 0; t < totalSteps; t++) {
      double epsilon = Math.max(0.05, 1 - 0.95 * t / (0.5 * totalSteps));
      float[] state = env.state();
      int action =
          random.nextDouble() < epsilon ? random.nextInt(2) : best(q(learner.weights(), state), 0);
      boolean fell = env.step(action);
      int at = t % BUFFER;
      states[at] = state;
      nexts[at] = env.state();
      actions[at] = action;
      dones[at] = fell;
      length++;
      if (fell || env.truncated()) {
        remember(returns, length);
        length = 0;
        env.reset();
      }
      if (t > learningStarts && t % 10 == 0) {
        int size = Math.min(t + 1, BUFFER);
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
        float[] after = Forward.run(target, Rows.plain(to, CartPole.INPUTS));
        float[] y = new float[BATCH];
        float[] ones = new float[BATCH];
        Arrays.fill(ones, 1);
        for (int b = 0; b < BATCH; b++) {
          y[b] = 1 + (dones[drawn[b]] ? 0 : GAMMA * Math.max(after[2 * b], after[2 * b + 1]));
        }
        learner.step(
            new Loss.Regression(Rows.plain(from, CartPole.INPUTS), chosen, y, ones, false));
      }
      if (t % 500 == 0) {
        target = learner.weights();
      }
    }
    return mean(returns);
  }

  /**
   * The same for advantage actor-critic with rl-zoo's settings: 8 environments, 500 k steps,
   * rollouts of 5, tanh. Two things keep it where it has arrived: bounded units, and an epsilon
   * below which gradients are not scaled up. rl-zoo's RMSProp has one of 1e-5 and no moments; for
   * Adam it is larger. A solved task gives tiny gradients, and full steps along them are noise.
   */
  static double actorCritic(long seed, int totalSteps) {
    int envs = 8;
    int rollout = 5;
    SplittableRandom random = new SplittableRandom(seed);
    NetworkSpec spec = NetworkSpec.mlp(CartPole.INPUTS, List.of(64, 64), 3).withTanh();
    Learner learner = new Learner(Weights.random(spec, random), new Adam(spec, 7e-4, 3e-3), 0.5);
    CartPole[] env = new CartPole[envs];
    Arrays.setAll(env, i -> new CartPole(random.split()));
    int[] length = new int[envs];
    Deque<Integer> returns = new ArrayDeque<>();
    for (int t = 0; t < totalSteps; t += envs * rollout) {
      int n = envs * rollout;
      float[] states = new float[n * CartPole.INPUTS];
      int[] actions = new int[n];
      boolean[] ended = new boolean[n];
      float[] values = new float[n];
      float[] bonus = new float[n];
      for (int k = 0; k < rollout; k++) {
        float[] now = new float[envs * CartPole.INPUTS];
        for (int e = 0; e < envs; e++) {
          System.arraycopy(env[e].state(), 0, now, e * CartPole.INPUTS, CartPole.INPUTS);
        }
        System.arraycopy(now, 0, states, k * now.length, now.length);
        float[] out = Forward.run(learner.weights(), Rows.plain(now, CartPole.INPUTS));
        for (int e = 0; e < envs; e++) {
          int i = k * envs + e;
          double right = 1 / (1 + Math.exp(out[3 * e] - out[3 * e + 1]));
          actions[i] = random.nextDouble() < right ? 1 : 0;
          values[i] = out[3 * e + 2];
          boolean fell = env[e].step(actions[i]);
          length[e]++;
          ended[i] = fell || env[e].truncated();
          if (ended[i]) {
            bonus[i] = fell ? 0 : GAMMA * q(learner.weights(), env[e].state())[2];
            remember(returns, length[e]);
            length[e] = 0;
            env[e].reset();
          }
        }
      }
      float[] advantages = new float[n];
      float[] targets = new float[n];
      for (int e = 0; e < envs; e++) {
        float next = q(learner.weights(), env[e].state())[2];
        for (int k = rollout - 1; k >= 0; k--) {
          int i = k * envs + e;
          next = 1 + (ended[i] ? bonus[i] : GAMMA * next);
          targets[i] = next;
          advantages[i] = next - values[i];
        }
      }
      learner.step(
          new Loss.ActorCritic(
              Rows.plain(states, CartPole.INPUTS), actions, advantages, targets, 0.5f, 0.0f));
    }
    return mean(returns);
  }

  private static float[] q(Weights w, float[] state) {
    return Forward.run(w, Rows.plain(state, CartPole.INPUTS));
  }

  private static int best(float[] q, int at) {
    return q[at + 1] > q[at] ? 1 : 0;
  }

  private static void remember(Deque<Integer> returns, int length) {
    returns.addLast(length);
    if (returns.size() > 100) {
      returns.removeFirst();
    }
  }

  private static double mean(Deque<Integer> returns) {
    return returns.stream().mapToInt(Integer::intValue).average().orElse(0);
  }
}
