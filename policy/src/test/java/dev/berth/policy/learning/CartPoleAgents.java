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
  private static final float GAMMA = 0.99f;

  private CartPoleAgents() {}

  /** Mean return of the last 100 training episodes. */
  static double dqn(long seed, int totalSteps, int learningStarts, double learningRate) {
    CartPoleDqn agent = new CartPoleDqn(seed, learningRate);
    Deque<Integer> returns = new ArrayDeque<>();
    for (int t = 0; t < totalSteps; t++) {
      int episode = agent.play(Math.max(0.05, 1 - 0.95 * t / (0.5 * totalSteps)));
      if (episode > 0) {
        remember(returns, episode);
      }
      if (t > learningStarts && t % CartPoleDqn.TRAIN_EVERY == 0) {
        agent.update();
      }
      if (t % CartPoleDqn.TARGET_EVERY == 0) {
        agent.updateTarget();
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
