package dev.berth.policy.network;

import java.util.Arrays;

/**
 * Rows of numbers. Every row is an array of its own, which is how {@link Product} gets vector
 * instructions.
 *
 * <p>Thread rule: one thread while it is written, then share freely.
 */
final class Matrix {
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

  /** The same of the transposed, {@code [width * height]}; four rows at a time, as there. */
  void addTransposedTo(float[] values) {
    int height = rows.length;
    int i = 0;
    for (; i + 4 <= height; i += 4) {
      float[] a = rows[i];
      float[] b = rows[i + 1];
      float[] c = rows[i + 2];
      float[] d = rows[i + 3];
      for (int j = 0; j < width; j++) {
        int at = j * height + i;
        values[at] += a[j];
        values[at + 1] += b[j];
        values[at + 2] += c[j];
        values[at + 3] += d[j];
      }
    }
    for (; i < height; i++) {
      for (int j = 0; j < width; j++) {
        values[j * height + i] += rows[i][j];
      }
    }
  }

  /** Adds the sum of all rows to {@code [width]}; one after another, to the last bit. */
  void addSumTo(float[] sum) {
    int i = 0;
    for (; i + 4 <= rows.length; i += 4) {
      addFour(rows[i], rows[i + 1], rows[i + 2], rows[i + 3], sum);
    }
    for (; i < rows.length; i++) {
      for (int j = 0; j < sum.length; j++) {
        sum[j] += rows[i][j];
      }
    }
  }

  private static void addFour(float[] a, float[] b, float[] c, float[] d, float[] sum) {
    for (int j = 0; j < sum.length; j++) {
      sum[j] = sum[j] + a[j] + b[j] + c[j] + d[j];
    }
  }

  /**
   * Takes the transposed of another. Four of its rows at a time: finding a row costs more than
   * reading a number of it.
   */
  Matrix setTransposed(Matrix other) {
    int j = 0;
    for (; j + 4 <= width; j += 4) {
      float[] a = other.rows[j];
      float[] b = other.rows[j + 1];
      float[] c = other.rows[j + 2];
      float[] d = other.rows[j + 3];
      for (int i = 0; i < rows.length; i++) {
        float[] row = rows[i];
        row[j] = a[i];
        row[j + 1] = b[i];
        row[j + 2] = c[i];
        row[j + 3] = d[i];
      }
    }
    for (; j < width; j++) {
      for (int i = 0; i < rows.length; i++) {
        rows[i][j] = other.rows[j][i];
      }
    }
    return this;
  }
}
