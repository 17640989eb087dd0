package dev.berth.policy.tensor;

import dev.berth.policy.network.Weights;
import dev.berth.policy.network.Workspace;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Trains one network: gradient by backpropagation, clip by global norm, Adam.
 *
 * <p>Thread rule: one thread per learner.
 */
public final class Learner {
  private final Adam adam;
  private final float clipNorm;
  private final Workspace space = new Workspace();
  private Weights weights;

  /**
   * @param clipNorm largest global norm of a gradient; infinity for none
   */
  public Learner(Weights initial, Adam adam, double clipNorm) {
    this.weights = initial;
    this.adam = adam;
    this.clipNorm = (float) clipNorm;
  }

  /** The weights after the last step; immutable. */
  public Weights weights() {
    return weights;
  }

  public Adam adam() {
    return adam;
  }

  /**
   * One gradient step.
   *
   * @return the loss before the step
   * @throws ArithmeticException if loss or gradient is not finite; the weights stay as they were
   */
  public float step(Loss loss) {
    return step(loss, adam.learningRate());
  }

  /**
   * One gradient step at a learning rate of its own; otherwise as {@link #step(Loss)}.
   *
   * @param rate learning rate of this step
   */
  public float step(Loss loss, double rate) {
    Gradient gradient = LossGradient.of(weights, loss, space);
    double norm = gradient.norm();
    if (!Float.isFinite(gradient.loss()) || !Double.isFinite(norm)) {
      throw new ArithmeticException(
          "loss " + gradient.loss() + ", gradient norm " + norm + ": the step was not taken");
    }
    double scale = norm > clipNorm ? clipNorm / norm : 1;
    Map<String, float[]> next = new LinkedHashMap<>();
    adam.next();
    gradient
        .values()
        .forEach(
            (name, g) -> {
              float[] w = weights.get(name).clone();
              adam.update(name, w, g, scale, rate);
              next.put(name, w);
            });
    weights = new Weights(weights.spec(), next);
    return gradient.loss();
  }

  /** Loss and its gradient. */
  public static Gradient gradient(Weights weights, Loss loss) {
    return LossGradient.of(weights, loss, new Workspace());
  }

  /**
   * A gradient.
   *
   * @param loss value of the loss
   * @param values by parameter
   */
  public record Gradient(float loss, Map<String, float[]> values) {
    double norm() {
      double sum = 0;
      for (float[] g : values.values()) {
        for (float x : g) {
          sum += (double) x * x;
        }
      }
      return Math.sqrt(sum);
    }
  }
}
