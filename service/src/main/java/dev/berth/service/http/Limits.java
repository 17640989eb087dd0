package dev.berth.service.http;

import java.time.Instant;

/**
 * What a value may be, as api/openapi.yaml has it. None of them is a setting: beyond them no
 * cluster exists, and the arithmetic of features would lose its precision.
 */
final class Limits {
  /** A million cores. */
  static final long CPU_MILLI = 1_000_000_000;

  /** An exbibyte. */
  static final long MEMORY_BYTES = 1L << 60;

  /** Of a node's milli-cores or bytes, requested or not. */
  static final long AMOUNT = MEMORY_BYTES;

  /** Cards are bits of an int in the GPU policies. */
  static final int GPU_CARDS = 32;

  static final int GPU_MILLI = 1000;

  /** Of a pod; the plugin sends the two that are read. */
  static final int ANNOTATIONS = 1_000;

  /** Reservations in a score request: those of the last moments. */
  static final int NEWS = 256;

  /** Names in Kubernetes have 253 characters at most; an owner is three of them. */
  static final int TEXT = 1024;

  /** Before Kubernetes nobody started a pod. */
  static final double EARLIEST = Instant.parse("2014-01-01T00:00:00Z").getEpochSecond();

  private Limits() {}

  static long cpuMilli(long value, String name) {
    return most(value, CPU_MILLI, name);
  }

  static long memoryBytes(long value, String name) {
    return most(value, MEMORY_BYTES, name);
  }

  static long most(long value, long most, String name) {
    if (value > most) {
      throw Problem.badRequest(name + " is " + value + ", must be at most " + most);
    }
    return value;
  }

  /**
   * Refuses what no name in Kubernetes can be, and what does not survive being written and read
   * again: control characters and halves of surrogate pairs.
   */
  static String text(String value, String name) {
    int n = value.length();
    if (n > TEXT) {
      throw Problem.badRequest(
          name
              + " has "
              + n
              + " characters, must have at most "
              + TEXT
              + " (it begins '"
              + value.substring(0, 32).replaceAll("[^ -~]", "?")
              + "')");
    }
    for (int i = 0; i < n; i++) {
      char c = value.charAt(i);
      if (c < ' ' || c > '~') {
        i = beyondAscii(value, i, name);
      }
    }
    return value;
  }

  /** Returns the last index of the character at {@code i}. */
  private static int beyondAscii(String value, int i, String name) {
    int c = value.codePointAt(i);
    if (Character.isISOControl(c)
        || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE)) {
      throw Problem.badRequest(
          "%s has the character U+%04X at position %d: send names as Kubernetes has them"
              .formatted(name, c, i));
    }
    return i + Character.charCount(c) - 1;
  }
}
