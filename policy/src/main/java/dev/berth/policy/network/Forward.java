package dev.berth.policy.network;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
      addProduct(h, weights.get("layer" + l + ".weight"), n, in, out, next);
      if (groups != null && spec.messagePassing()) {
        for (NetworkSpec.Group g : NetworkSpec.Group.values()) {
          String name = "layer" + l + "." + g.name().toLowerCase(Locale.ROOT);
          addProduct(groupMean(groups, g, h, in), weights.get(name), n, in, out, next);
        }
      }
      activate(spec.activation(), next);
      h = next;
      in = out;
    }
    float[] result = bias(weights.get("out.bias"), n, spec.outputs());
    addProduct(h, weights.get("out.weight"), n, in, spec.outputs(), result);
    if (spec.skip()) {
      addProduct(features, weights.get("skip.weight"), n, spec.inputs(), spec.outputs(), result);
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
   * inputs at a time save three quarters of the loads and stores of the sums, two rows at a time
   * half of those of the weights. The order of the sums is part of the result: every row gets the
   * same numbers whatever rows stand beside it.
   */
  private static void addProduct(float[] x, float[] w, int n, int in, int width, float[] out) {
    if (width == 1) {
      addProduct(x, w, n, in, out);
      return;
    }
    int i = 0;
    for (; i + 2 <= n; i += 2) {
      int o = i * width;
      int p = o + width;
      int k = 0;
      for (; k + 4 <= in; k += 4) {
        int at = i * in + k;
        float v0 = x[at];
        float v1 = x[at + 1];
        float v2 = x[at + 2];
        float v3 = x[at + 3];
        float u0 = x[at + in];
        float u1 = x[at + in + 1];
        float u2 = x[at + in + 2];
        float u3 = x[at + in + 3];
        int r0 = k * width;
        int r1 = r0 + width;
        int r2 = r1 + width;
        int r3 = r2 + width;
        for (int j = 0; j < width; j++) {
          float a = w[r0 + j];
          float b = w[r1 + j];
          float c = w[r2 + j];
          float d = w[r3 + j];
          out[o + j] += v0 * a + v1 * b + v2 * c + v3 * d;
          out[p + j] += u0 * a + u1 * b + u2 * c + u3 * d;
        }
      }
      for (; k < in; k++) {
        addInput(x[i * in + k], w, k * width, width, out, o);
        addInput(x[i * in + in + k], w, k * width, width, out, p);
      }
    }
    if (i < n) {
      addLastRow(x, w, i, in, width, out);
    }
  }

  private static void addLastRow(float[] x, float[] w, int i, int in, int width, float[] out) {
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
      addInput(x[i * in + k], w, k * width, width, out, o);
    }
  }

  private static void addInput(float v, float[] w, int row, int width, float[] out, int o) {
    for (int j = 0; j < width; j++) {
      out[o + j] += v * w[row + j];
    }
  }

  /** The same for one output. */
  private static void addProduct(float[] x, float[] w, int n, int in, float[] out) {
    for (int i = 0; i < n; i++) {
      float sum = out[i];
      int at = i * in;
      int k = 0;
      for (; k + 4 <= in; k += 4) {
        sum +=
            x[at + k] * w[k]
                + x[at + k + 1] * w[k + 1]
                + x[at + k + 2] * w[k + 2]
                + x[at + k + 3] * w[k + 3];
      }
      for (; k < in; k++) {
        sum += x[at + k] * w[k];
      }
      out[i] = sum;
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
