package dev.berth.workbench.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Inputs near valid ones: bytes flipped, pieces cut out, doubled, swapped with another sample, and
 * what parsers stumble over put in. A seed gives the same inputs every time.
 */
public final class Mutations {
  private static final List<String> STUMBLING_BLOCKS =
      List.of(
          "",
          " ",
          "\n",
          "\r\n",
          "\t",
          "\u0000",
          "\uFEFF",
          "\"",
          "'",
          ",",
          ":",
          "-",
          "- ",
          "{",
          "}",
          "[",
          "]",
          "&a ",
          "*a",
          "<<: ",
          "!!java.net.URL ",
          "|",
          ">",
          "%",
          "~",
          "null",
          "true",
          "0",
          "-1",
          "NaN",
          "Infinity",
          "1e999",
          "1e-999",
          "0x1p3",
          "9223372036854775808",
          "2147483648",
          "99999999999999999999999999999999",
          "1.5",
          "١",
          "é",
          "\uD83D\uDE00",
          "m",
          "Gi",
          "s",
          "d");

  private final SplittableRandom random;
  private final List<byte[]> samples;

  public Mutations(long seed, List<byte[]> samples) {
    this.random = new SplittableRandom(seed);
    this.samples = samples;
  }

  public byte[] next() {
    byte[] bytes = sample();
    for (int times = 1 + random.nextInt(4); times > 0; times--) {
      bytes = mutated(bytes);
    }
    return bytes;
  }

  private byte[] sample() {
    return samples.get(random.nextInt(samples.size()));
  }

  private byte[] mutated(byte[] bytes) {
    int from = random.nextInt(bytes.length + 1);
    int to = Math.min(bytes.length, from + random.nextInt(1 + Math.min(bytes.length, 12)));
    return switch (random.nextInt(6)) {
      case 0 -> joined(bytes, from, new byte[] {(byte) random.nextInt(256)}, Math.max(from, to));
      case 1 -> joined(bytes, from, new byte[0], to);
      case 2 -> joined(bytes, to, Arrays.copyOfRange(bytes, from, to), to);
      case 3 -> Arrays.copyOf(bytes, from);
      case 4 -> {
        byte[] other = sample();
        int begin = random.nextInt(other.length + 1);
        yield joined(
            bytes, from, Arrays.copyOfRange(other, begin, Math.min(other.length, begin + 40)), to);
      }
      default ->
          joined(
              bytes,
              from,
              STUMBLING_BLOCKS
                  .get(random.nextInt(STUMBLING_BLOCKS.size()))
                  .getBytes(StandardCharsets.UTF_8),
              to);
    };
  }

  /** {@code bytes} with what lies from {@code from} to {@code to} replaced. */
  private static byte[] joined(byte[] bytes, int from, byte[] middle, int to) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(bytes, 0, from);
    out.writeBytes(middle);
    out.write(bytes, to, bytes.length - to);
    return out.toByteArray();
  }
}
