package dev.berth.service.http;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * The names of the last binary question: the next one mostly names the same nodes in the same
 * order, and then they need be neither read nor checked again, and whoever compares arrays sees
 * that they are the same. Thread-safe.
 */
final class NamesOfLastQuestion {
  private record Block(byte[] bytes, String[] names) {}

  private final AtomicReference<Block> last = new AtomicReference<>();

  /**
   * The names that these bytes stand for.
   *
   * @param read reads and checks them
   */
  String[] of(byte[] bytes, int from, int to, int n, Supplier<String[]> read) {
    Block known = last.get();
    if (known != null
        && known.names().length == n
        && Arrays.equals(known.bytes(), 0, known.bytes().length, bytes, from, to)) {
      return known.names();
    }
    String[] names = read.get();
    last.set(new Block(Arrays.copyOfRange(bytes, from, to), names));
    return names;
  }
}
