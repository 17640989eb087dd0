package dev.berth.service.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.Arrays;

/**
 * Reads JSON arrays into primitive columns, without an object per node. {@code expected} is the
 * number of candidates once known, so that most columns are allocated once and right.
 */
final class Columns {
  private static final int FIRST_GUESS = 64;

  private Columns() {}

  static long[] longs(JsonParser in, String name, int expected) throws IOException {
    begin(in, name);
    long[] values = new long[guess(expected)];
    int n = 0;
    for (JsonToken t = in.nextToken(); t != JsonToken.END_ARRAY; t = in.nextToken()) {
      if (n == values.length) {
        values = Arrays.copyOf(values, n * 2);
      }
      values[n] = Limits.most(nonNegative(in, t, name, n), Limits.AMOUNT, name);
      n++;
    }
    return n == values.length ? values : Arrays.copyOf(values, n);
  }

  static int[] ints(JsonParser in, String name, int expected) throws IOException {
    begin(in, name);
    int[] values = new int[guess(expected)];
    int n = 0;
    for (JsonToken t = in.nextToken(); t != JsonToken.END_ARRAY; t = in.nextToken()) {
      if (n == values.length) {
        values = Arrays.copyOf(values, n * 2);
      }
      long value = nonNegative(in, t, name, n);
      if (value > Integer.MAX_VALUE) {
        throw Problem.badRequest(name + "[" + n + "] is " + value + ", more than 2147483647");
      }
      values[n] = (int) value;
      n++;
    }
    return n == values.length ? values : Arrays.copyOf(values, n);
  }

  static String[] strings(JsonParser in, String name, int expected) throws IOException {
    begin(in, name);
    String[] values = new String[guess(expected)];
    int n = 0;
    for (JsonToken t = in.nextToken(); t != JsonToken.END_ARRAY; t = in.nextToken()) {
      if (t != JsonToken.VALUE_STRING) {
        throw wrong(in, name + "[" + n + "]", "a string");
      }
      if (n == values.length) {
        values = Arrays.copyOf(values, n * 2);
      }
      String value = Limits.text(in.getText(), name);
      // Zones, racks and models repeat down the column: keep one copy.
      values[n] = n > 0 && value.equals(values[n - 1]) ? values[n - 1] : value;
      n++;
    }
    return n == values.length ? values : Arrays.copyOf(values, n);
  }

  /**
   * {@code [[1000, 500], []]}: one row of free amounts per candidate. Below 0 is 0, counted by
   * {@code overdrawn}: other pods wrote that, and the one that is asked about must not pay for it.
   */
  static int[][] freeAmounts(JsonParser in, String name, int expected, Runnable overdrawn)
      throws IOException {
    begin(in, name);
    int[][] rows = new int[guess(expected)][];
    int n = 0;
    for (JsonToken t = in.nextToken(); t != JsonToken.END_ARRAY; t = in.nextToken()) {
      if (t != JsonToken.START_ARRAY) {
        throw wrong(in, name + "[" + n + "]", "an array of numbers");
      }
      if (n == rows.length) {
        rows = Arrays.copyOf(rows, n * 2);
      }
      int[] row = new int[8];
      int cards = 0;
      for (t = in.nextToken(); t != JsonToken.END_ARRAY; t = in.nextToken()) {
        if (cards == row.length) {
          row = Arrays.copyOf(row, cards * 2);
        }
        if (cards == Limits.GPU_CARDS) {
          throw Problem.badRequest(
              name + "[" + n + "] has more than " + cards + " cards, a node can have at most that");
        }
        long free = Limits.most(whole(in, t, name, n), Limits.GPU_MILLI, name);
        if (free < 0) {
          overdrawn.run();
        }
        row[cards++] = (int) Math.max(0, free);
      }
      rows[n++] = Arrays.copyOf(row, cards);
    }
    return n == rows.length ? rows : Arrays.copyOf(rows, n);
  }

  static Problem wrong(JsonParser in, String name, String expected) throws IOException {
    String got = in.currentToken() == null ? "the end of the body" : in.getText();
    return Problem.badRequest(name + " must be " + expected + ", got " + got);
  }

  private static long whole(JsonParser in, JsonToken token, String name, int i) throws IOException {
    if (token != JsonToken.VALUE_NUMBER_INT) {
      throw wrong(in, name + "[" + i + "]", "a whole number");
    }
    return in.getLongValue();
  }

  private static long nonNegative(JsonParser in, JsonToken token, String name, int i)
      throws IOException {
    long value = whole(in, token, name, i);
    if (value < 0) {
      throw Problem.badRequest(name + "[" + i + "] is " + value + ", must be 0 or more");
    }
    return value;
  }

  private static void begin(JsonParser in, String name) throws IOException {
    if (in.nextToken() != JsonToken.START_ARRAY) {
      throw wrong(in, name, "an array with one entry per node");
    }
  }

  private static int guess(int expected) {
    return expected > 0 ? expected : FIRST_GUESS;
  }
}
