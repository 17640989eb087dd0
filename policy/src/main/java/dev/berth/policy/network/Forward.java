package dev.berth.policy.network;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The forward pass in plain Java. It serves decisions (no native call, no copy, no warm-up; 100
 * rows of a 64-64 network cost about as much as one call into the engine) and it is what the tensor
 * layer is checked against.
 *
 * <p>Thread rule: stateless; safe to share.
 */
public final class Forward {
  private Forward() {}

  /** Outputs of every row, {@code [rows * outputs]}; padding rows give numbers without meaning. */
  public static float[] run(Weights weights, Rows rows) {
    NetworkSpec spec = weights.spec();
    float[] h = rows.features();
    int in = spec.inputs();
    int n = rows.size();
    for (int l = 0; l < spec.hidden().size(); l++) {
      int out = spec.hidden().get(l);
      float[] next = bias(weights.get("layer" + l + ".bias"), n, out);
      addProduct(h, weights.get("layer" + l + ".weight"), n, in, out, next);
      if (spec.messages()) {
        for (NetworkSpec.Group g : NetworkSpec.Group.values()) {
          String name = "layer" + l + "." + g.name().toLowerCase(Locale.ROOT);
          addProduct(groupMean(rows, g, h, in), weights.get(name), n, in, out, next);
        }
      }
      activate(spec.activation(), next);
      h = next;
      in = out;
    }
    float[] result = bias(weights.get("out.bias"), n, spec.outputs());
    addProduct(h, weights.get("out.weight"), n, in, spec.outputs(), result);
    if (spec.skip()) {
      addProduct(
          rows.features(), weights.get("skip.weight"), n, spec.inputs(), spec.outputs(), result);
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

  /**
   * out += x w, with x {@code [n][in]} and w {@code [in][width]}. The inner loop vectorises; four
   * inputs at a time save three quarters of the loads and stores of the sums (5,000 rows of 32-32:
   * 2.0 ms with one, 1.4 ms with four).
   */
  private static void addProduct(float[] x, float[] w, int n, int in, int width, float[] out) {
    for (int i = 0; i < n; i++) {
      int o = i * width;
      int k = 0;
      for (; k + 4 <= in; k += 4) {
        int at = i * in + k;
        float v0 = x[at];
        float v1 = x[at + 1];
        float v2 = x[at + 2];
        float v3 = x[at + 3];
        int r0 = k * width;
        int r1 = r0 + width;
        int r2 = r1 + width;
        int r3 = r2 + width;
        for (int j = 0; j < width; j++) {
          out[o + j] += v0 * w[r0 + j] + v1 * w[r1 + j] + v2 * w[r2 + j] + v3 * w[r3 + j];
        }
      }
      for (; k < in; k++) {
        float v = x[i * in + k];
        int row = k * width;
        for (int j = 0; j < width; j++) {
          out[o + j] += v * w[row + j];
        }
      }
    }
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
