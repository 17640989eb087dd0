package dev.berth.policy.gpu.agent;

import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.policy.tensor.Learner;
import dev.berth.policy.tensor.Loss;

/**
 * A network in training and its target copy, which follows slowly.
 *
 * <p>Thread rule: one thread.
 */
final class OnlineNetwork {
  private static final double TARGET_TAU = 0.02;
  private static final double CLIP_NORM = 10;

  private Learner learner;
  private double rate = Double.NaN;
  private Weights target;

  OnlineNetwork(Weights initial) {
    this.learner = new Learner(initial, new Adam(initial.spec(), 0), CLIP_NORM);
    this.target = initial;
  }

  Weights weights() {
    return learner.weights();
  }

  Weights target() {
    return target;
  }

  void step(Loss loss, double newRate) {
    if (newRate != rate) {
      rate = newRate;
      Adam adam = new Adam(weights().spec(), rate, learner.adam().moments());
      learner = new Learner(weights(), adam, CLIP_NORM);
    }
    learner.step(loss);
    target = target.towards(weights(), TARGET_TAU);
  }
}
