package dev.berth.policy.network;

import java.util.List;
import java.util.Map;

/**
 * Gradients of one network at one set of rows, by hand: the chain rule from the outputs back to
 * every parameter (Rumelhart, Hinton and Williams 1986). A layer is
 *
 * <pre>h' = f(b + h W + sum_g M_g h W_g),  M_g the mean over group g, symmetric</pre>
 *
 * so that with s the gradient by what stands in f's brackets
 *
 * <pre>db = 1's   dW = h's   dW_g = h'(M_g s)   dh = s W' + sum_g (M_g s) W_g'   (' transposes)
 * </pre>
 *
 * <p>Thread rule: one thread.
 */
public final class Backpropagation {
  private final Weights weights;
  private final Rows rows;
  private final List<float[]> layers;

  /** Runs the forward pass and keeps what every layer made of the rows. */
  public Backpropagation(Weights weights, Rows rows) {
    this.weights = weights;
    this.rows = rows;
    layers = Forward.layers(weights, rows.features(), rows.size(), rows);
  }

  /** {@code [rows * outputs]}, equal to {@link Forward#run}'s to the last bit. */
  public float[] outputs() {
    return layers.get(layers.size() - 1);
  }

  /**
   * Adds the gradient of a number that depends on the outputs.
   *
   * @param slopes its derivative by every output, {@code [rows * outputs]}
   * @param gradient by parameter, in the shapes of the weights
   */
  public void add(float[] slopes, Map<String, float[]> gradient) {
    NetworkSpec spec = weights.spec();
    Matrix s = new Matrix(slopes, spec.outputs());
    int depth = spec.hidden().size();
    s.addSum(of(gradient, NetworkSpec.OUT_BIAS));
    s.addTransposedProduct(
        layers.get(depth), spec.width(depth), of(gradient, NetworkSpec.OUT_WEIGHT));
    if (spec.skip()) {
      s.addTransposedProduct(layers.get(0), spec.inputs(), of(gradient, NetworkSpec.SKIP_WEIGHT));
    }
    if (depth == 0) {
      return;
    }
    float[] back = new float[rows.size() * spec.width(depth)];
    addBack(NetworkSpec.OUT_WEIGHT, slopes, spec.outputs(), back);
    for (int l = depth - 1; l >= 0; l--) {
      passActivation(spec.activation(), layers.get(l + 1), back);
      back = layer(l, back, gradient);
    }
  }

  /**
   * Takes the gradient by a layer's sums to its parameters, and to the layer before.
   *
   * @return gradient by what went into the layer; nothing for the first, whose inputs are given
   */
  private float[] layer(int l, float[] sums, Map<String, float[]> gradient) {
    NetworkSpec spec = weights.spec();
    float[] into = layers.get(l);
    int in = spec.width(l);
    int out = spec.width(l + 1);
    float[] back = new float[l == 0 ? 0 : rows.size() * in];
    Matrix s = new Matrix(sums, out);
    s.addSum(of(gradient, NetworkSpec.bias(l)));
    s.addTransposedProduct(into, in, of(gradient, NetworkSpec.weight(l)));
    if (l > 0) {
      addBack(NetworkSpec.weight(l), sums, out, back);
    }
    if (spec.messagePassing()) {
      for (NetworkSpec.Group g : NetworkSpec.Group.values()) {
        float[] mean = GroupMean.of(rows, g, sums, out);
        new Matrix(mean, out)
            .addTransposedProduct(into, in, of(gradient, NetworkSpec.weight(l, g)));
        if (l > 0) {
          addBack(NetworkSpec.weight(l, g), mean, out, back);
        }
      }
    }
    return back;
  }

  private void addBack(String parameter, float[] slopes, int width, float[] back) {
    Matrix.transposed(weights.get(parameter), width).addProduct(slopes, rows.size(), back);
  }

  /** From the gradient by a layer's units to that by their sums. */
  private static void passActivation(
      NetworkSpec.Activation activation, float[] units, float[] slopes) {
    if (activation == NetworkSpec.Activation.TANH) {
      for (int i = 0; i < slopes.length; i++) {
        slopes[i] *= 1 - units[i] * units[i];
      }
    } else {
      for (int i = 0; i < slopes.length; i++) {
        // Units are 0 or positive, half of them each: a branch would be guessed wrong every other
        // time. All bits of the mask are those of the sign of -bits: set for positive units.
        int mask = -Float.floatToRawIntBits(units[i]) >> 31;
        slopes[i] = Float.intBitsToFloat(Float.floatToRawIntBits(slopes[i]) & mask);
      }
    }
  }

  private static float[] of(Map<String, float[]> gradient, String parameter) {
    float[] g = gradient.get(parameter);
    if (g == null) {
      throw new IllegalArgumentException(
          "no gradient of " + parameter + " in " + gradient.keySet());
    }
    return g;
  }
}
