package dev.berth.policy.tensor;

import dev.berth.policy.network.Backpropagation;
import dev.berth.policy.network.NetworkSpec;
import dev.berth.policy.network.Rows;
import dev.berth.policy.network.Weights;
import dev.berth.policy.network.Workspace;
import java.util.Arrays;
import java.util.Map;

/**
 * Value and gradient of each {@link Loss}: its derivative by the network's outputs, then {@link
 * Backpropagation}.
 *
 * <p>Thread rule: one thread.
 */
final class LossGradient {
  private final Weights weights;
  private final Workspace space;
  private final Map<String, float[]> gradient;

  private LossGradient(Weights weights, Workspace space, Map<String, float[]> gradient) {
    this.weights = weights;
    this.space = space;
    this.gradient = gradient;
    space.restart();
    for (NetworkSpec.Parameter p : weights.spec().parameters()) {
      Arrays.fill(gradient.computeIfAbsent(p.name(), n -> new float[p.size()]), 0);
    }
  }

  /**
   * @param space lends its matrices
   * @param values get the gradient; arrays of a gradient before are used again
   */
  static Learner.Gradient of(
      Weights weights, Loss loss, Workspace space, Map<String, float[]> values) {
    LossGradient g = new LossGradient(weights, space, values);
    return new Learner.Gradient((float) g.take(loss), values);
  }

  private double take(Loss loss) {
    if (loss instanceof Loss.Regression r) {
      return outputs(r.rows(), (q, slopes) -> regression(r, q, slopes));
    } else if (loss instanceof Loss.Difference d) {
      return difference(d.after(), d.before(), (q, slopes) -> difference(d, q, slopes));
    } else if (loss instanceof Loss.CandidatePolicy p) {
      return difference(p.after(), p.before(), (q, slopes) -> candidatePolicy(p, q, slopes));
    } else if (loss instanceof Loss.ActorCritic a) {
      return outputs(a.rows(), (out, slopes) -> actorCritic(a, out, slopes));
    }
    throw new AssertionError(loss);
  }

  /** Value of a loss at some outputs; writes its derivative by each of them. */
  private interface OfOutputs {
    double at(float[] outputs, float[] slopes);
  }

  private double outputs(Rows rows, OfOutputs loss) {
    Backpropagation pass = new Backpropagation(weights, rows, space);
    float[] slopes = new float[pass.outputs().length];
    double value = loss.at(pass.outputs(), slopes);
    pass.add(slopes, gradient);
    return value;
  }

  /** The same of v(after) - v(before). */
  private double difference(Rows after, Rows before, OfOutputs loss) {
    Backpropagation there = new Backpropagation(weights, after, space);
    Backpropagation here = new Backpropagation(weights, before, space);
    float[] q = there.outputs().clone();
    for (int i = 0; i < q.length; i++) {
      q[i] -= here.outputs()[i];
    }
    float[] slopes = new float[q.length];
    double value = loss.at(q, slopes);
    there.add(slopes, gradient);
    for (int i = 0; i < slopes.length; i++) {
      slopes[i] = -slopes[i];
    }
    here.add(slopes, gradient);
    return value;
  }

  private static double regression(Loss.Regression r, float[] q, float[] slopes) {
    int n = r.rows().size();
    int width = q.length / n;
    double sum = 0;
    for (int i = 0; i < n; i++) {
      int at = i * width + r.outputs()[i];
      float error = q[at] - r.targets()[i];
      float w = r.weights()[i] / n;
      sum += w * (r.huber() ? huber(error) : error * error);
      slopes[at] = w * (r.huber() ? huberSlope(error) : 2 * error);
    }
    return sum;
  }

  private static double difference(Loss.Difference d, float[] q, float[] slopes) {
    float total = 0;
    for (float w : d.weights()) {
      total += w;
    }
    double sum = 0;
    for (int i = 0; i < q.length; i++) {
      float error = q[i] - d.targets()[i];
      float w = d.weights()[i] / Math.max(1e-9f, total);
      sum += w * huber(error);
      slopes[i] = w * huberSlope(error);
    }
    return sum;
  }

  /**
   * With u = A - beta log pi, the gain of a decision is sum pi u, and its derivative by logit i is
   * pi_i (u_i - sum pi u).
   */
  private static double candidatePolicy(Loss.CandidatePolicy p, float[] q, float[] slopes) {
    Rows rows = p.after();
    int width = rows.width();
    float[] log = new float[width];
    double sum = 0;
    for (int d = 0; d < rows.decisions(); d++) {
      int from = d * width;
      for (int i = 0; i < width; i++) {
        log[i] = rows.valid()[from + i] ? q[from + i] / p.temperature() : Float.NEGATIVE_INFINITY;
      }
      logSoftmax(log, width);
      double gain = 0;
      for (int i = 0; i < width; i++) {
        if (rows.valid()[from + i]) {
          gain += Math.exp(log[i]) * (p.advantages()[from + i] - p.entropy() * log[i]);
        }
      }
      for (int i = 0; i < width; i++) {
        if (rows.valid()[from + i]) {
          double more = p.advantages()[from + i] - p.entropy() * log[i] - gain;
          slopes[from + i] =
              (float) (-Math.exp(log[i]) * more / p.temperature() / rows.decisions());
        }
      }
      sum -= gain;
    }
    return sum / rows.decisions();
  }

  /** The derivative of the entropy H by logit j is -pi_j (log pi_j + H). */
  private static double actorCritic(Loss.ActorCritic a, float[] out, float[] slopes) {
    int n = a.rows().size();
    int width = out.length / n;
    int actions = width - 1;
    float[] log = new float[actions];
    double sum = 0;
    for (int i = 0; i < n; i++) {
      int from = i * width;
      System.arraycopy(out, from, log, 0, actions);
      logSoftmax(log, actions);
      double entropy = 0;
      for (int j = 0; j < actions; j++) {
        entropy -= Math.exp(log[j]) * log[j];
      }
      float advantage = a.advantages()[i];
      float error = out[from + actions] - a.returns()[i];
      sum += -log[a.actions()[i]] * advantage + a.value() * error * error - a.entropy() * entropy;
      for (int j = 0; j < actions; j++) {
        double pi = Math.exp(log[j]);
        double taken = j == a.actions()[i] ? 1 : 0;
        slopes[from + j] =
            (float) ((advantage * (pi - taken) + a.entropy() * pi * (log[j] + entropy)) / n);
      }
      slopes[from + actions] = 2 * a.value() * error / n;
    }
    return sum / n;
  }

  /** In place, of the first n; minus infinity stays out of it. */
  private static void logSoftmax(float[] logits, int n) {
    float most = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < n; i++) {
      most = Math.max(most, logits[i]);
    }
    double sum = 0;
    for (int i = 0; i < n; i++) {
      sum += Math.exp(logits[i] - most);
    }
    float log = (float) Math.log(sum);
    for (int i = 0; i < n; i++) {
      logits[i] = logits[i] - most - log;
    }
  }

  private static float huber(float error) {
    float size = Math.abs(error);
    float near = Math.min(size, 1);
    return near * near / 2 + size - near;
  }

  private static float huberSlope(float error) {
    return Math.max(-1, Math.min(1, error));
  }
}
