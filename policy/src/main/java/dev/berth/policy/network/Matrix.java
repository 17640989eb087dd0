package dev.berth.policy.network;

import java.util.Arrays;

/**
 * Rows of numbers and their product: nearly all of the work that networks do here.
 *
 * <p>HotSpot's C2 (JDK 17) makes vector instructions of a loop only where every array stands at the
 * loop's own index: not of {@code out[o + j] += v * w[r + j]}, where out and w might be one array.
 * So every row is an array of its own. Four terms at a time save loads and stores of the sums; with
 * six, or with two rows of sums, C2 gives up again.
 *
 * <p>Half of what comes out of ReLU is zero, and so is half of what goes back through it. A row's
 * zeros are left out first, without a branch that would be guessed wrong every other time: 128 rows
 * of 120 inputs to 84 units take 0.05 ms of CPU instead of 0.09.
 *
 * <p>Not with {@code Math.fma}, which makes a gradient step 8 % shorter: where the processor has no
 * such instruction, as many virtual ones, it is hundreds of times slower. Not with JDK 17's vectors
 * (jdk.incubator.vector), twice as fast: until C2 has compiled them a first score takes 75 ms.
 *
 * <p>The order of the sums is part of the result: every row gets the same numbers whatever rows
 * stand beside it.
 *
 * <p>Thread rule: one thread while it is written, then share freely.
 */
final class Matrix {
  /** Rows shorter than this are not worth a loop of vectors. */
  private static final int NARROW = 8;

  private final float[][] rows;
  private final int width;

  /** All zeros. */
  Matrix(int height, int width) {
    this.width = width;
    rows = new float[height][];
    for (int i = 0; i < height; i++) { // new float[height][width] would go through the runtime
      rows[i] = new float[width];
    }
  }

  boolean hasShape(int height, int width) {
    return rows.length == height && this.width == width;
  }

  int height() {
    return rows.length;
  }

  int width() {
    return width;
  }

  /** The row itself, {@code [width]}: who writes to it writes to the matrix. */
  float[] row(int i) {
    return rows[i];
  }

  /** All zeros again. */
  Matrix clear() {
    for (float[] row : rows) {
      Arrays.fill(row, 0);
    }
    return this;
  }

  /** Takes the same row everywhere. */
  Matrix repeat(float[] row) {
    for (float[] to : rows) {
      System.arraycopy(row, 0, to, 0, width);
    }
    return this;
  }

  /**
   * Takes numbers that stand row by row.
   *
   * @param values {@code [>= (from + height) * width]}
   * @param from row of the values to begin with
   */
  Matrix set(float[] values, int from) {
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(values, (from + i) * width, rows[i], 0, width);
    }
    return this;
  }

  /** Writes all numbers row by row, from a row of {@code [>= (from + height) * width]} on. */
  void copyTo(float[] values, int from) {
    for (int i = 0; i < rows.length; i++) {
      System.arraycopy(rows[i], 0, values, (from + i) * width, width);
    }
  }

  /** A copy of all numbers row by row, {@code [height * width]}. */
  float[] values() {
    float[] values = new float[rows.length * width];
    copyTo(values, 0);
    return values;
  }

  /** Adds all numbers row by row to {@code [height * width]}. */
  void addTo(float[] values) {
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < width; j++) {
        values[i * width + j] += rows[i][j];
      }
    }
  }

  /** Adds the sum of all rows to {@code [width]}. */
  void addSumTo(float[] sum) {
    for (float[] row : rows) {
      for (int j = 0; j < sum.length; j++) {
        sum[j] += row[j];
      }
    }
  }

  /** Takes the transposed of another. */
  Matrix setTransposed(Matrix other) {
    for (int i = 0; i < rows.length; i++) {
      float[] row = rows[i];
      for (int j = 0; j < width; j++) {
        row[j] = other.rows[j][i];
      }
    }
    return this;
  }

  /**
   * {@code this += x w}.
   *
   * @param x {@code [height][n]}
   * @param w {@code [n][width]}
   */
  void addProduct(Matrix x, Matrix w) {
    if (width < NARROW) {
      addDots(x, new Matrix(width, x.width).setTransposed(w));
      return;
    }
    float[] factors = new float[x.width + 3];
    int[] terms = new int[x.width + 3];
    for (int i = 0; i < rows.length; i++) {
      int count = nonZero(x.rows[i], factors, terms);
      for (int k = 0; k < count; k += 4) {
        addFour(
            factors[k],
            factors[k + 1],
            factors[k + 2],
            factors[k + 3],
            w.rows[terms[k]],
            w.rows[terms[k + 1]],
            w.rows[terms[k + 2]],
            w.rows[terms[k + 3]],
            rows[i]);
      }
    }
  }

  /**
   * Finds what of a row is not zero; behind it stand three zeros.
   *
   * @param factors gets the numbers
   * @param terms gets where they stood
   * @return how many
   */
  private static int nonZero(float[] row, float[] factors, int[] terms) {
    int count = 0;
    for (int k = 0; k < row.length; k++) {
      factors[count] = row[k];
      terms[count] = k;
      // 1 if any bit is set: then either the bits or their negative have the sign.
      int bits = Float.floatToRawIntBits(row[k]);
      count += (bits | -bits) >>> 31;
    }
    Arrays.fill(factors, count, count + 3, 0);
    Arrays.fill(terms, count, count + 3, 0);
    return count;
  }

  private static void addFour(
      float v0,
      float v1,
      float v2,
      float v3,
      float[] a,
      float[] b,
      float[] c,
      float[] d,
      float[] sums) {
    for (int j = 0; j < sums.length; j++) {
      sums[j] += v0 * a[j] + v1 * b[j] + v2 * c[j] + v3 * d[j];
    }
  }

  /** The same for a few columns, each in turn. */
  private void addDots(Matrix x, Matrix columns) {
    for (int i = 0; i < rows.length; i++) {
      for (int j = 0; j < width; j++) {
        rows[i][j] += dot(x.rows[i], columns.rows[j]);
      }
    }
  }

  /** Four sums at a time, for each addition waits for the one before. */
  private static float dot(float[] a, float[] b) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int k = 0;
    for (; k + 4 <= a.length; k += 4) {
      s0 += a[k] * b[k];
      s1 += a[k + 1] * b[k + 1];
      s2 += a[k + 2] * b[k + 2];
      s3 += a[k + 3] * b[k + 3];
    }
    for (; k < a.length; k++) {
      s0 += a[k] * b[k];
    }
    return (s0 + s1) + (s2 + s3);
  }
}
