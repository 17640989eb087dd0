package dev.berth.policy.learning;

import dev.berth.policy.network.Weights;
import dev.berth.policy.tensor.Adam;
import dev.berth.policy.tensor.Learner;
import dev.berth.policy.tensor.Loss;

/**
 * A network in training and its target copy, which follows slowly.
 *
 * <p>Thread rule: one thread.
 */
public final class OnlineNetwork {
  private static final double TARGET_TAU = 0.02;
  private static final double CLIP_NORM = 10;

  private final Learner learner;
  private Weights target;

  public OnlineNetwork(Weights initial) {
    this.learner = new Learner(initial, new Adam(initial.spec(), 0), CLIP_NORM);
    this.target = initial;
  }

  public Weights weights() {
    return learner.weights();
  }

  public Weights target() {
    return target;
  }

  /**
   * One gradient step.
   *
   * @param rate learning rate of this step
   */
  public void step(Loss loss, double rate) {
    learner.step(loss, rate);
    target = target.towards(weights(), TARGET_TAU);
  }
}
