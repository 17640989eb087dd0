package dev.berth.service.http;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the columns of a binary question one after the other; api/README.md has the layout. Numbers
 * are little-endian. Not thread-safe: one per request.
 */
final class BinaryColumns {
  private static final VarHandle SHORT = view(short[].class);
  private static final VarHandle INT = view(int[].class);
  private static final VarHandle LONG = view(long[].class);

  private final byte[] bytes;
  private final int end;
  private int at;

  BinaryColumns(byte[] bytes, int from, int end) {
    this.bytes = bytes;
    this.at = from;
    this.end = end;
  }

  private static VarHandle view(Class<?> array) {
    return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
  }

  /** The number that comes next, in four bytes; not more than {@code most}. */
  int count(int most, String name) {
    int start = take(Integer.BYTES, name);
    int count = (int) INT.get(bytes, start);
    if (count < 0 || count > most) {
      throw Problem.badRequest(
          name + " is " + Integer.toUnsignedLong(count) + ", must be at most " + most);
    }
    return count;
  }

  /** {@code n} numbers of 0 to {@code most}. */
  long[] longs(int n, String name, long most) {
    long[] column = new long[n];
    int width = bytes[take(1, name)];
    if (width == 0) { // one number for all
      Arrays.fill(column, (long) LONG.get(bytes, take(Long.BYTES, name)));
    } else {
      if (width != 1 && width != 2 && width != 4 && width != 8) {
        throw Problem.badRequest(
            name + " has numbers of " + width + " bytes: send 0, 1, 2, 4 or 8");
      }
      int start = take((long) width * n, name);
      for (int i = 0; i < n; i++) {
        column[i] = number(start + i * width, width);
      }
    }
    for (int i = 0; i < n; i++) {
      if (column[i] < 0 || column[i] > most) {
        throw Problem.badRequest(
            name + "[" + i + "] is " + column[i] + ", must be 0 or more and at most " + most);
      }
    }
    return column;
  }

  private long number(int from, int width) {
    return switch (width) {
      case 1 -> bytes[from] & 0xff;
      case 2 -> (short) SHORT.get(bytes, from) & 0xffff;
      case 4 -> (int) INT.get(bytes, from) & 0xffffffffL;
      default -> (long) LONG.get(bytes, from);
    };
  }

  int[] ints(int n, String name) {
    long[] wide = longs(n, name, Integer.MAX_VALUE);
    int[] column = new int[n];
    for (int i = 0; i < n; i++) {
      column[i] = (int) wide[i];
    }
    return column;
  }

  /** {@code n} texts, each with its length in two bytes before it. */
  String[] texts(int n, String name) {
    String[] column = new String[n];
    for (int i = 0; i < n; i++) {
      int length = (short) SHORT.get(bytes, take(Short.BYTES, name)) & 0xffff;
      column[i] = Limits.text(text(take(length, name), length, name, i), name);
    }
    return column;
  }

  private String text(int from, int length, String name, int i) {
    for (int k = from; k < from + length; k++) {
      if (bytes[k] < 0) { // names in Kubernetes are ASCII, so this is seldom
        try {
          return StandardCharsets.UTF_8
              .newDecoder()
              .decode(ByteBuffer.wrap(bytes, from, length))
              .toString();
        } catch (CharacterCodingException e) {
          throw Problem.badRequest(name + "[" + i + "] is not valid UTF-8");
        }
      }
    }
    return new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }

  /** The different labels, then which one each of {@code n} nodes has; blank for all with none. */
  String[] labels(int n, String name) {
    String[] column = new String[n];
    int different = count(n, name + "'s number of labels");
    if (different == 0) {
      Arrays.fill(column, "");
      return column;
    }
    String[] labels = texts(different, name);
    long[] index = longs(n, name, different - 1L);
    for (int i = 0; i < n; i++) {
      column[i] = labels[(int) index[i]];
    }
    return column;
  }

  /** Where the next column begins. */
  int position() {
    return at;
  }

  void finished() {
    if (at != end) {
      throw Problem.badRequest("the body goes on for " + (end - at) + " bytes after its columns");
    }
  }

  /** Skips some bytes and returns where they begin. */
  int take(long length, String name) {
    if (length > end - at) {
      throw Problem.badRequest("the body ends within " + name);
    }
    int from = at;
    at += (int) length;
    return from;
  }
}
