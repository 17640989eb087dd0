package dev.berth.policy.network;

import java.util.Arrays;

/**
 * {@code out += x w} over row-major matrices: nearly all of the work that networks do here.
 *
 * <p>HotSpot's C2 (JDK 17) makes vector instructions of a loop only where every array stands at the
 * loop's own index: not of {@code out[o + j] += v * w[r + j]}, where out and w might be one array.
 * So rows become arrays of their own: 128 rows of 120 inputs to 84 units take 0.10 ms instead of
 * 0.42. Four inputs at a time save loads and stores of the sums; with eight C2 gives up again.
 *
 * <p>The order of the sums is part of the result: every row gets the same numbers whatever rows
 * stand beside it.
 *
 * <p>Thread rule: stateless; safe to share.
 */
final class MatrixProduct {
  private MatrixProduct() {}

  /**
   * Adds the product.
   *
   * @param x {@code [n][in]}; what lies behind is not read
   * @param w {@code [in][width]}
   * @param out {@code [n][width]}
   */
  static void add(float[] x, float[] w, int n, int in, int width, float[] out) {
    if (width == 1) {
      addDots(x, w, n, in, out);
      return;
    }
    float[][] rows = new float[in][];
    for (int k = 0; k < in; k++) {
      rows[k] = Arrays.copyOfRange(w, k * width, (k + 1) * width);
    }
    float[] sums = new float[width];
    for (int i = 0; i < n; i++) {
      System.arraycopy(out, i * width, sums, 0, width);
      int at = i * in;
      int k = 0;
      for (; k + 4 <= in; k += 4) {
        addFour(x, at + k, rows, k, sums);
      }
      for (; k < in; k++) {
        addOne(x[at + k], rows[k], sums);
      }
      System.arraycopy(sums, 0, out, i * width, width);
    }
  }

  private static void addFour(float[] x, int at, float[][] rows, int k, float[] sums) {
    float v0 = x[at];
    float v1 = x[at + 1];
    float v2 = x[at + 2];
    float v3 = x[at + 3];
    float[] a = rows[k];
    float[] b = rows[k + 1];
    float[] c = rows[k + 2];
    float[] d = rows[k + 3];
    for (int j = 0; j < sums.length; j++) {
      sums[j] += v0 * a[j] + v1 * b[j] + v2 * c[j] + v3 * d[j];
    }
  }

  private static void addOne(float v, float[] row, float[] sums) {
    for (int j = 0; j < sums.length; j++) {
      sums[j] += v * row[j];
    }
  }

  /** The same for one output. */
  private static void addDots(float[] x, float[] w, int n, int in, float[] out) {
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
}
