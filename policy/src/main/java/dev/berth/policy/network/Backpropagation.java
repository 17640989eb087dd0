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
  private final Workspace space;
  private final List<Matrix> layers;
  private final float[] outputs;

  /**
   * Runs the forward pass and keeps what every layer made of the rows.
   *
   * @param space lends its matrices until it is restarted
   */
  public Backpropagation(Weights weights, Rows rows, Workspace space) {
    this.weights = weights;
    this.rows = rows;
    this.space = space;
    layers = Forward.layers(weights, rows.features(), 0, rows.size(), rows, space);
    outputs = Forward.outputs(layers).values();
  }

  /** {@code [rows * outputs]}, equal to {@link Forward#run}'s to the last bit. */
  public float[] outputs() {
    return outputs;
  }

  /**
   * Adds the gradient of a number that depends on the outputs.
   *
   * @param slopes its derivative by every output, {@code [rows * outputs]}
   * @param gradient by parameter, in the shapes of the weights
   */
  public void add(float[] slopes, Map<String, float[]> gradient) {
    NetworkSpec spec = weights.spec();
    Matrix s = space.matrix(rows.size(), spec.outputs()).set(slopes, 0);
    int depth = spec.hidden().size();
    s.addSumTo(of(gradient, NetworkSpec.OUT_BIAS));
    addOuter(layers.get(depth), s, of(gradient, NetworkSpec.OUT_WEIGHT));
    if (spec.skip()) {
      addOuter(layers.get(0), s, of(gradient, NetworkSpec.SKIP_WEIGHT));
    }
    if (depth == 0) {
      return;
    }
    Matrix back = space.matrix(rows.size(), spec.width(depth)).clear();
    space.product().add(back, s, transposed(weights.matrix(NetworkSpec.OUT_WEIGHT)));
    for (int l = depth - 1; l >= 0; l--) {
      for (int i = 0; i < rows.size(); i++) {
        passActivation(spec.activation(), layers.get(l + 1).row(i), back.row(i));
      }
      back = layer(l, back, gradient);
    }
  }

  /**
   * Takes the gradient by a layer's sums to its parameters, and to the layer before.
   *
   * @return gradient by what went into the layer; nothing for the first, whose inputs are given
   */
  private Matrix layer(int l, Matrix s, Map<String, float[]> gradient) {
    NetworkSpec spec = weights.spec();
    Matrix into = layers.get(l);
    Matrix back = space.matrix(l == 0 ? 0 : rows.size(), spec.width(l)).clear();
    s.addSumTo(of(gradient, NetworkSpec.bias(l)));
    addOuter(into, s, of(gradient, NetworkSpec.weight(l)));
    if (l > 0) {
      space.product().add(back, s, transposed(weights.matrix(NetworkSpec.weight(l))));
    }
    if (spec.messagePassing()) {
      for (NetworkSpec.Group g : NetworkSpec.Group.values()) {
        Matrix mean = GroupMean.of(rows, g, s, space);
        addOuter(into, mean, of(gradient, NetworkSpec.weight(l, g)));
        if (l > 0) {
          space.product().add(back, mean, transposed(weights.matrix(NetworkSpec.weight(l, g))));
        }
      }
    }
    return back;
  }

  /** {@code gradient += x's}, turned round where that makes the rows of the product longer. */
  private void addOuter(Matrix x, Matrix s, float[] gradient) {
    if (s.width() < x.width()) {
      Matrix product = space.matrix(s.width(), x.width()).clear();
      space.product().add(product, transposed(s), x);
      product.addTransposedTo(gradient);
    } else {
      Matrix product = space.matrix(x.width(), s.width()).clear();
      space.product().add(product, transposed(x), s);
      product.addTo(gradient);
    }
  }

  private Matrix transposed(Matrix m) {
    return space.matrix(m.width(), m.height()).setTransposed(m);
  }

  /** From the gradient by a layer's units to that by their sums. */
  private static void passActivation(
      NetworkSpec.Activation activation, float[] units, float[] slopes) {
    if (activation == NetworkSpec.Activation.TANH) {
      for (int i = 0; i < slopes.length; i++) {
        slopes[i] *= 1 - units[i] * units[i];
      }
    } else {
      // Of units that are 0 or positive this makes 0 or 1 without a branch, which would be guessed
      // wrong every other time, and with vector instructions: 0.008 ms of a gradient step of DQN
      // instead of 0.013 with masks of bits. + 0 makes 0 of -0, which counts as a term of a
      // product.
      for (int i = 0; i < slopes.length; i++) {
        slopes[i] = slopes[i] * Math.min(1, units[i] * Float.MAX_VALUE * Float.MAX_VALUE) + 0f;
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
