package dev.berth.policy.network;

import java.util.Arrays;
import java.util.List;

/**
 * The forward pass over many rows at once: a tile of rows lies turned, so that the same input of
 * all its rows is one run of numbers, and the inner loop is as long as the tile. Loops as long as a
 * layer is wide (32) are too short for the compiler's vectors.
 *
 * <p>Every row gets, bit for bit, what {@link Forward} gives it, for its sums are in the same
 * order.
 *
 * <p>Thread rule: one pass, one thread.
 */
final class Tiles {
  /** Rows of a tile: inputs and a layer of 32 stay in the first-level cache. */
  static final int ROWS = 128;

  private final Weights weights;
  private final NetworkSpec spec;
  private final float[] inputs;
  private final List<float[]> layers;
  private final float[] outputs;

  private Tiles(Weights weights) {
    this.weights = weights;
    this.spec = weights.spec();
    this.inputs = new float[spec.inputs() * ROWS];
    this.layers = spec.hidden().stream().map(width -> new float[width * ROWS]).toList();
    this.outputs = new float[spec.outputs() * ROWS];
  }

  /** Outputs of every row, {@code [rows * outputs]}; not for networks with message passing. */
  static float[] run(Weights weights, float[] features, int rows) {
    Tiles tiles = new Tiles(weights);
    float[] out = new float[rows * weights.spec().outputs()];
    for (int from = 0; from < rows; from += ROWS) {
      tiles.run(features, from, Math.min(ROWS, rows - from), out);
    }
    return out;
  }

  private void run(float[] features, int from, int rows, float[] out) {
    int in = spec.inputs();
    for (int i = 0; i < rows; i++) {
      for (int k = 0; k < in; k++) {
        inputs[k * ROWS + i] = features[(from + i) * in + k];
      }
    }
    float[] h = inputs;
    for (int l = 0; l < layers.size(); l++) {
      float[] next = layers.get(l);
      bias(weights.get("layer" + l + ".bias"), next);
      addProduct(h, in, weights.get("layer" + l + ".weight"), spec.hidden().get(l), next);
      Forward.activate(spec.activation(), next);
      h = next;
      in = spec.hidden().get(l);
    }
    bias(weights.get("out.bias"), outputs);
    addProduct(h, in, weights.get("out.weight"), spec.outputs(), outputs);
    if (spec.skip()) {
      addProduct(inputs, spec.inputs(), weights.get("skip.weight"), spec.outputs(), outputs);
    }
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < spec.outputs(); j++) {
        out[(from + i) * spec.outputs() + j] = outputs[j * ROWS + i];
      }
    }
  }

  private static void bias(float[] bias, float[] sums) {
    for (int j = 0; j < bias.length; j++) {
      Arrays.fill(sums, j * ROWS, (j + 1) * ROWS, bias[j]);
    }
  }

  /**
   * sums += x w, with x {@code [in][ROWS]}, w {@code [in][width]} and sums {@code [width][ROWS]}.
   */
  private static void addProduct(float[] x, int in, float[] w, int width, float[] sums) {
    for (int j = 0; j < width; j++) {
      int k = 0;
      for (; k + 4 <= in; k += 4) {
        int at = k * width + j;
        addFour(
            x,
            k * ROWS,
            w[at],
            w[at + width],
            w[at + 2 * width],
            w[at + 3 * width],
            sums,
            j * ROWS);
      }
      for (; k < in; k++) {
        addOne(x, k * ROWS, w[k * width + j], sums, j * ROWS);
      }
    }
  }

  private static void addFour(
      float[] x, int from, float a, float b, float c, float d, float[] sums, int to) {
    for (int i = 0; i < ROWS; i++) {
      sums[to + i] +=
          x[from + i] * a
              + x[from + ROWS + i] * b
              + x[from + 2 * ROWS + i] * c
              + x[from + 3 * ROWS + i] * d;
    }
  }

  private static void addOne(float[] x, int from, float a, float[] sums, int to) {
    for (int i = 0; i < ROWS; i++) {
      sums[to + i] += x[from + i] * a;
    }
  }
}
