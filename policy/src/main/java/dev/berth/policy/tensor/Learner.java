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
  private final Workspace space;

  /** The last gradient, whose arrays the next one takes. */
  private final Map<String, float[]> last = new LinkedHashMap<>();

  private Weights weights;

  /**
   * @param clipNorm largest global norm of a gradient; infinity for none
   */
  public Learner(Weights initial, Adam adam, double clipNorm) {
    this(initial, adam, clipNorm, () -> {});
  }

  /**
   * @param clipNorm largest global norm of a gradient; infinity for none
   * @param between called between the parts of a step: whoever is in nobody's way may rest there
   */
  public Learner(Weights initial, Adam adam, double clipNorm, Runnable between) {
    this.weights = initial;
    this.adam = adam;
    this.clipNorm = (float) clipNorm;
    this.space = new Workspace(between);
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
    Gradient gradient = LossGradient.of(weights, loss, space, last);
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
    return LossGradient.of(weights, loss, new Workspace(), new LinkedHashMap<>());
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
        sum += squares(g);
      }
      return Math.sqrt(sum);
    }

    /** Four sums at a time, for each addition waits for the one before. */
    private static double squares(float[] g) {
      double s0 = 0;
      double s1 = 0;
      double s2 = 0;
      double s3 = 0;
      int i = 0;
      for (; i + 4 <= g.length; i += 4) {
        s0 += (double) g[i] * g[i];
        s1 += (double) g[i + 1] * g[i + 1];
        s2 += (double) g[i + 2] * g[i + 2];
        s3 += (double) g[i + 3] * g[i + 3];
      }
      for (; i < g.length; i++) {
        s0 += (double) g[i] * g[i];
      }
      return (s0 + s1) + (s2 + s3);
    }
  }
}
