package dev.berth.policy.gpu.value;

import java.util.random.RandomGenerator;

/**
 * {@code v(x) = skip . x + out . relu(W2 relu(W1 x + b1) + b2) + c}: a linear part and two small
 * hidden layers. Plain arrays: a decision evaluates tens to hundreds of rows, too few to pay for a
 * call into native code and many enough that column-major batches vectorise.
 *
 * <p>Immutable after construction except through {@link #weights()}; scratch is per caller.
 */
public final class ValueNetwork {
  /** Rows of one block; a multiple of every vector width. */
  public static final int BLOCK = 64;

  private final int inputs;
  private final int hidden;
  private final float[] weights;

  /**
   * @param weights {@code W1 [hidden, inputs], b1, W2 [hidden, hidden], b2, out [hidden], skip
   *     [inputs], c}, shared, not copied
   */
  public ValueNetwork(int inputs, int hidden, float[] weights) {
    if (weights.length != size(inputs, hidden)) {
      throw new IllegalArgumentException(
          "a value network of %d inputs and %d hidden units has %d weights, got %d"
              .formatted(inputs, hidden, size(inputs, hidden), weights.length));
    }
    this.inputs = inputs;
    this.hidden = hidden;
    this.weights = weights;
  }

  /** He-normal hidden layers, zero elsewhere. */
  public static ValueNetwork random(int inputs, int hidden, RandomGenerator random) {
    float[] weights = new float[size(inputs, hidden)];
    ValueNetwork network = new ValueNetwork(inputs, hidden, weights);
    for (int i = 0; i < network.b1(); i++) {
      weights[i] = (float) (random.nextGaussian() * Math.sqrt(2.0 / inputs));
    }
    for (int i = network.w2(); i < network.b2(); i++) {
      weights[i] = (float) (random.nextGaussian() * Math.sqrt(2.0 / hidden));
    }
    for (int i = network.out(); i < network.skip(); i++) {
      weights[i] = (float) (random.nextGaussian() * Math.sqrt(1.0 / hidden) * 0.1);
    }
    return network;
  }

  /** Number of weights. */
  public static int size(int inputs, int hidden) {
    return hidden * inputs + hidden + hidden * hidden + hidden + hidden + inputs + 1;
  }

  public int inputs() {
    return inputs;
  }

  public int hidden() {
    return hidden;
  }

  /** Shared, not copied. */
  public float[] weights() {
    return weights;
  }

  public ValueNetwork copy() {
    return new ValueNetwork(inputs, hidden, weights.clone());
  }

  int b1() {
    return hidden * inputs;
  }

  int w2() {
    return b1() + hidden;
  }

  int b2() {
    return w2() + hidden * hidden;
  }

  int out() {
    return b2() + hidden;
  }

  int skip() {
    return out() + hidden;
  }

  int constant() {
    return skip() + inputs;
  }

  /** Scratch for {@link #forward}, one per thread. */
  public float[] scratch() {
    return new float[2 * hidden * BLOCK];
  }

  /**
   * One block.
   *
   * @param x column-major {@code [inputs, BLOCK]}
   * @param values output {@code [BLOCK]}; rows beyond those filled hold rubbish
   */
  public void forward(float[] x, float[] scratch, float[] values) {
    layer(0, b1(), inputs, hidden, x, 0, scratch, 0);
    relu(scratch, 0, hidden * BLOCK);
    layer(w2(), b2(), hidden, hidden, scratch, 0, scratch, hidden * BLOCK);
    relu(scratch, hidden * BLOCK, 2 * hidden * BLOCK);
    layer(out(), constant(), hidden, 1, scratch, hidden * BLOCK, values, 0);
    accumulate(skip(), inputs, x, 0, values, 0);
  }

  private void layer(
      int weight, int bias, int from, int to, float[] x, int xAt, float[] y, int yAt) {
    for (int unit = 0; unit < to; unit++) {
      int at = yAt + unit * BLOCK;
      float b = weights[bias + unit];
      for (int row = 0; row < BLOCK; row++) {
        y[at + row] = b;
      }
      accumulate(weight + unit * from, from, x, xAt, y, at);
    }
  }

  /** {@code y += w . x}, four inputs at a time: half the loads and stores of one at a time. */
  private void accumulate(int weight, int from, float[] x, int xAt, float[] y, int yAt) {
    int in = 0;
    for (; in + 3 < from; in += 4) {
      float w0 = weights[weight + in];
      float w1 = weights[weight + in + 1];
      float w2 = weights[weight + in + 2];
      float w3 = weights[weight + in + 3];
      int x0 = xAt + in * BLOCK;
      int x1 = x0 + BLOCK;
      int x2 = x1 + BLOCK;
      int x3 = x2 + BLOCK;
      for (int row = 0; row < BLOCK; row++) {
        y[yAt + row] += w0 * x[x0 + row] + w1 * x[x1 + row] + w2 * x[x2 + row] + w3 * x[x3 + row];
      }
    }
    for (; in < from; in++) {
      float w = weights[weight + in];
      int at = xAt + in * BLOCK;
      for (int row = 0; row < BLOCK; row++) {
        y[yAt + row] += w * x[at + row];
      }
    }
  }

  private static void relu(float[] y, int from, int to) {
    for (int i = from; i < to; i++) {
      y[i] = Math.max(y[i], 0);
    }
  }
}
