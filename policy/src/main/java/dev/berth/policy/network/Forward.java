package dev.berth.policy.network;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The forward pass: what serves decisions, and what {@link Backpropagation} takes gradients of.
 *
 * <p>Thread rule: stateless; safe to share.
 */
public final class Forward {
  private Forward() {}

  /** Outputs of every row, {@code [rows * outputs]}; padding rows give numbers without meaning. */
  public static float[] run(Weights weights, Rows rows) {
    return last(layers(weights, rows.features(), rows.size(), rows));
  }

  /**
   * The same of rows that belong to no groups.
   *
   * @param features {@code [>= rows * inputs]}; what lies behind the last row is not read
   */
  public static float[] run(Weights weights, float[] features, int rows) {
    if (weights.spec().messagePassing()) {
      throw new IllegalArgumentException(
          "a network with message passing needs the groups of its rows");
    }
    return last(layers(weights, features, rows, null));
  }

  private static float[] last(List<float[]> layers) {
    return layers.get(layers.size() - 1);
  }

  /** The features, what every hidden layer makes of them, the outputs; {@code [n][width]} each. */
  static List<float[]> layers(Weights weights, float[] features, int n, @Nullable Rows groups) {
    NetworkSpec spec = weights.spec();
    List<float[]> layers = new ArrayList<>();
    layers.add(features);
    float[] h = features;
    int in = spec.inputs();
    for (int l = 0; l < spec.hidden().size(); l++) {
      float[] next = bias(weights.get(NetworkSpec.bias(l)), n);
      weights.matrix(NetworkSpec.weight(l)).addProduct(h, n, next);
      if (groups != null && spec.messagePassing()) {
        for (NetworkSpec.Group g : NetworkSpec.Group.values()) {
          weights
              .matrix(NetworkSpec.weight(l, g))
              .addProduct(GroupMean.of(groups, g, h, in), n, next);
        }
      }
      activate(spec.activation(), next);
      layers.add(next);
      h = next;
      in = spec.hidden().get(l);
    }
    float[] result = bias(weights.get(NetworkSpec.OUT_BIAS), n);
    weights.matrix(NetworkSpec.OUT_WEIGHT).addProduct(h, n, result);
    if (spec.skip()) {
      weights.matrix(NetworkSpec.SKIP_WEIGHT).addProduct(features, n, result);
    }
    layers.add(result);
    return layers;
  }

  private static void activate(NetworkSpec.Activation activation, float[] sums) {
    if (activation == NetworkSpec.Activation.TANH) {
      for (int i = 0; i < sums.length; i++) {
        sums[i] = (float) Math.tanh(sums[i]);
      }
    } else {
      for (int i = 0; i < sums.length; i++) {
        sums[i] = Math.max(0, sums[i]);
      }
    }
  }

  /** The same bias for every row. */
  private static float[] bias(float[] b, int n) {
    float[] out = new float[n * b.length];
    for (int i = 0; i < n; i++) {
      System.arraycopy(b, 0, out, i * b.length, b.length);
    }
    return out;
  }
}
