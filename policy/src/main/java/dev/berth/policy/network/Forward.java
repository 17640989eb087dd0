package dev.berth.policy.network;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The forward pass in plain Java. It serves decisions (no native call, no warm-up; 100 rows of a
 * 64-64 network cost about as much as one call into the engine) and it is what the tensor layer is
 * checked against.
 *
 * <p>Thread rule: stateless; safe to share.
 */
public final class Forward {
  private Forward() {}

  /** Outputs of every row, {@code [rows * outputs]}; padding rows give numbers without meaning. */
  public static float[] run(Weights weights, Rows rows) {
    return run(weights, rows.features(), rows.size(), rows);
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
    return run(weights, features, rows, null);
  }

  private static float[] run(Weights weights, float[] features, int n, @Nullable Rows groups) {
    NetworkSpec spec = weights.spec();
    float[] h = features;
    int in = spec.inputs();
    for (int l = 0; l < spec.hidden().size(); l++) {
      int out = spec.hidden().get(l);
      float[] next = bias(weights.get("layer" + l + ".bias"), n, out);
      MatrixProduct.add(h, weights.get("layer" + l + ".weight"), n, in, out, next);
      if (groups != null && spec.messagePassing()) {
        for (NetworkSpec.Group g : NetworkSpec.Group.values()) {
          String name = "layer" + l + "." + g.name().toLowerCase(Locale.ROOT);
          MatrixProduct.add(groupMean(groups, g, h, in), weights.get(name), n, in, out, next);
        }
      }
      activate(spec.activation(), next);
      h = next;
      in = out;
    }
    float[] result = bias(weights.get("out.bias"), n, spec.outputs());
    MatrixProduct.add(h, weights.get("out.weight"), n, in, spec.outputs(), result);
    if (spec.skip()) {
      MatrixProduct.add(
          features, weights.get("skip.weight"), n, spec.inputs(), spec.outputs(), result);
    }
    return result;
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

  private static float[] bias(float[] b, int n, int width) {
    float[] out = new float[n * width];
    for (int i = 0; i < n; i++) {
      System.arraycopy(b, 0, out, i * width, width);
    }
    return out;
  }

  /** Mean over the valid members of each row's group, zero for a row without one. */
  private static float[] groupMean(Rows rows, NetworkSpec.Group g, float[] h, int width) {
    float[] out = new float[h.length];
    int[] group = rows.group(g);
    for (int d = 0; d < rows.decisions(); d++) {
      Map<Integer, float[]> sums = new HashMap<>();
      for (int i = d * rows.width(); i < (d + 1) * rows.width(); i++) {
        int id = g == NetworkSpec.Group.ALL ? 0 : group[i];
        if (rows.valid()[i] && id >= 0) {
          // The last entry counts the members.
          float[] sum = sums.computeIfAbsent(id, x -> new float[width + 1]);
          for (int j = 0; j < width; j++) {
            sum[j] += h[i * width + j];
          }
          sum[width]++;
        }
      }
      for (int i = d * rows.width(); i < (d + 1) * rows.width(); i++) {
        int id = g == NetworkSpec.Group.ALL ? 0 : group[i];
        float[] sum = rows.valid()[i] && id >= 0 ? sums.get(id) : null;
        if (sum != null) {
          for (int j = 0; j < width; j++) {
            out[i * width + j] = sum[j] / sum[width];
          }
        }
      }
    }
    return out;
  }
}
