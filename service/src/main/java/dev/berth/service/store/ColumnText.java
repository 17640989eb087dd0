package dev.berth.service.store;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * An object of columns of numbers, as JSON text. A decision has 1,700 of them, and Jackson's
 * generator, which checks and buffers each, took half of what follows an answer.
 *
 * <p>Thread rule: one thread.
 */
final class ColumnText {
  private static final int MOST_BYTES = 32; // of a number, its sign, point and comma
  private static final int DECIMALS = 7; // of cores and seconds: as exact as a float of them is
  private static final long SCALE = 10_000_000;
  private static final double LARGE = 1e9; // beyond it a long does not hold the decimals
  private static final int BILLION = 1_000_000_000;
  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  private byte[] text;
  private int size;

  /**
   * @param bytes about as many as it will have
   */
  ColumnText(int bytes) {
    text = new byte[Math.max(MOST_BYTES, bytes)];
    text[size++] = '{';
  }

  /** Begins a column; the name must need no quoting. */
  void column(String name) {
    byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
    room(ascii.length + 4);
    text[size++] = '"';
    append(ascii);
    text[size++] = '"';
    text[size++] = ':';
    text[size++] = '[';
  }

  /** Begins a list within a column. */
  void list() {
    room(1);
    text[size++] = '[';
  }

  /** Ends a list or a column. */
  void end() {
    room(2);
    if (text[size - 1] == ',') {
      size--;
    }
    text[size++] = ']';
    text[size++] = ',';
  }

  void string(String value) {
    byte[] quoted = JsonStringEncoder.getInstance().quoteAsUTF8(value);
    room(quoted.length + 3);
    text[size++] = '"';
    append(quoted);
    text[size++] = '"';
    text[size++] = ',';
  }

  void nothing() {
    room(NULL.length + 1);
    append(NULL);
    text[size++] = ',';
  }

  void number(long value) {
    room(MOST_BYTES);
    if (value == Long.MIN_VALUE) { // which has no positive counterpart
      append(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
    } else {
      sign(value < 0);
      whole(Math.abs(value));
    }
    text[size++] = ',';
  }

  /**
   * To {@link #DECIMALS} decimals, in a fraction of the time that shortest digits take; null for
   * what is not finite.
   */
  void number(double value) {
    double magnitude = Math.abs(value);
    if (magnitude < LARGE) {
      room(MOST_BYTES);
      long scaled = (long) (magnitude * SCALE + .5);
      long whole = scaled / SCALE;
      int fraction = (int) (scaled - whole * SCALE);
      sign(value < 0 && scaled > 0);
      whole(whole);
      if (fraction != 0) {
        text[size++] = '.';
        digits(fraction, DECIMALS);
      }
      text[size++] = ',';
    } else if (Double.isFinite(value)) {
      room(MOST_BYTES);
      append(Double.toString(value).getBytes(StandardCharsets.US_ASCII));
      text[size++] = ',';
    } else {
      nothing();
    }
  }

  private void sign(boolean negative) {
    if (negative) {
      text[size++] = '-';
    }
  }

  private void whole(long value) {
    if (value < BILLION) {
      int count = 1;
      for (int rest = (int) value; rest >= 10; rest /= 10) {
        count++;
      }
      digits((int) value, count);
    } else { // ints divide in half of the time
      whole(value / BILLION);
      digits((int) (value % BILLION), 9);
    }
  }

  /** The last so many digits. */
  private void digits(int value, int count) {
    size += count;
    int rest = value;
    for (int at = size - 1; at >= size - count; at--) {
      text[at] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
  }

  private void append(byte[] bytes) {
    System.arraycopy(bytes, 0, text, size, bytes.length);
    size += bytes.length;
  }

  private void room(int bytes) {
    if (text.length - size < bytes) {
      text = Arrays.copyOf(text, Math.max(2 * text.length, size + bytes));
    }
  }

  /** All of it; nothing may follow. */
  String json() {
    room(1);
    if (text[size - 1] == ',') {
      size--;
    }
    text[size++] = '}';
    return new String(text, 0, size, StandardCharsets.UTF_8);
  }
}
