package dev.berth.service.config;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes as people write them: {@code 20ms}, {@code 1h}, {@code 16MiB}. */
final class Units {
  private static final Pattern AMOUNT = Pattern.compile("(\\d+)\\s*([A-Za-z]*)");
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "m", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
  private static final Map<String, Long> BYTES =
      Map.of("B", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);

  private Units() {}

  static Duration duration(String text) {
    return Duration.ofMillis(amount(text, MILLIS, "a duration such as 20ms, 5s, 2m, 1h or 7d"));
  }

  static DataSize size(String text) {
    return new DataSize(amount(text, BYTES, "a size such as 512KiB, 16MiB or 1GiB"));
  }

  private static long amount(String text, Map<String, Long> units, String expected) {
    Matcher m = AMOUNT.matcher(text.trim());
    Long unit = m.matches() ? units.get(m.group(2)) : null;
    if (unit == null) {
      throw new IllegalArgumentException("must be " + expected);
    }
    return Math.multiplyExact(Long.parseLong(m.group(1)), unit);
  }

  static String show(Duration duration) {
    return show(duration.toMillis(), MILLIS);
  }

  /** The largest unit that divides the amount, so that reading it back gives the same value. */
  static String show(long amount, Map<String, Long> units) {
    TreeMap<Long, String> bySize = new TreeMap<>();
    units.forEach((name, size) -> bySize.put(size, name));
    for (Map.Entry<Long, String> unit : bySize.descendingMap().entrySet()) {
      if (amount != 0 && amount % unit.getKey() == 0) {
        return amount / unit.getKey() + unit.getValue();
      }
    }
    return amount + bySize.firstEntry().getValue();
  }

  static String showSize(long bytes) {
    return show(bytes, BYTES);
  }
}
