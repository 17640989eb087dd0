package dev.berth.policy.network;

import java.util.Arrays;

/**
 * The product of two matrices: nearly all of the work that networks do here.
 *
 * <p>HotSpot's C2 (JDK 17) makes vector instructions of a loop only where every array stands at the
 * loop's own index: not of {@code out[o + j] += v * w[r + j]}, where out and w might be one array.
 * So every row is an array of its own. Four terms at a time save loads and stores of the sums; with
 * six, or with two rows of sums, the loop is too large for C2 to unroll (LoopUnrollLimit).
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
 * <p>Thread rule: one thread.
 */
final class Product {
  /** Rows shorter than this are not worth a loop of vectors. */
  private static final int NARROW = 8;

  /**
   * Rows of sums, and terms of each, that go together: the rows of w which these terms need stay in
   * the processor's first cache for all of these sums (128 rows of 120 inputs to 84 units: 0.060 ms
   * instead of 0.070, half of the gain by finding the zeros of several rows in one go).
   */
  private static final int ROWS = 16;

  private static final int TERMS = 24;

  /** What is not zero of each row: the bits of a number, behind them where it stands. */
  private final long[][] terms = new long[ROWS][0];

  private final int[] counts = new int[ROWS];

  /**
   * {@code sums += x w}.
   *
   * @param sums {@code [height][width]}
   * @param x {@code [height][n]}
   * @param w {@code [n][width]}
   */
  void add(Matrix sums, Matrix x, Matrix w) {
    if (sums.width() < NARROW) {
      addDots(sums, x, new Matrix(sums.width(), x.width()).setTransposed(w));
      return;
    }
    for (int from = 0; from < sums.height(); from += ROWS) {
      int n = Math.min(ROWS, sums.height() - from);
      int most = 0;
      for (int i = 0; i < n; i++) {
        if (terms[i].length < x.width() + 3) {
          terms[i] = new long[x.width() + 3];
        }
        counts[i] = nonZero(x.row(from + i), terms[i]);
        most = Math.max(most, counts[i]);
      }
      for (int k = 0; k < most; k += TERMS) {
        for (int i = 0; i < n; i++) {
          addTerms(terms[i], k, Math.min(counts[i], k + TERMS), w, sums.row(from + i));
        }
      }
    }
  }

  /**
   * Finds what of a row is not zero; behind it stand three zeros.
   *
   * @return how many
   */
  private static int nonZero(float[] row, long[] terms) {
    int count = 0;
    for (int k = 0; k < row.length; k++) {
      int bits = Float.floatToRawIntBits(row[k]);
      terms[count] = (long) bits << 32 | k;
      // 1 if any bit is set: then either the bits or their negative have the sign.
      count += (bits | -bits) >>> 31;
    }
    Arrays.fill(terms, count, count + 3, 0);
    return count;
  }

  private static void addTerms(long[] terms, int from, int to, Matrix w, float[] sums) {
    for (int k = from; k < to; k += 4) {
      addFour(
          factor(terms[k]),
          factor(terms[k + 1]),
          factor(terms[k + 2]),
          factor(terms[k + 3]),
          w.row((int) terms[k]),
          w.row((int) terms[k + 1]),
          w.row((int) terms[k + 2]),
          w.row((int) terms[k + 3]),
          sums);
    }
  }

  private static float factor(long term) {
    return Float.intBitsToFloat((int) (term >> 32));
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
  private static void addDots(Matrix sums, Matrix x, Matrix columns) {
    for (int i = 0; i < sums.height(); i++) {
      for (int j = 0; j < sums.width(); j++) {
        sums.row(i)[j] += dot(x.row(i), columns.row(j));
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
