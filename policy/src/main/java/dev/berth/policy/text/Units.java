package dev.berth.policy.text;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Single values as people write them. Errors name the value and the notation. */
public final class Units {
  private static final Pattern AMOUNT =
      Pattern.compile("(-?\\d{1,15}(?:\\.\\d{1,15})?)\\s*([A-Za-z]*)");

  // Largest first, so that amounts are shown in the largest unit that divides them.
  private static final Map<String, Long> MILLIS = new LinkedHashMap<>();
  private static final Map<String, Long> BYTES = new LinkedHashMap<>();

  /** A century: what is meant to be longer is not meant. */
  private static final Duration MAX_DURATION = Duration.ofDays(36_500);

  static {
    MILLIS.put("d", 86_400_000L);
    MILLIS.put("h", 3_600_000L);
    MILLIS.put("m", 60_000L);
    MILLIS.put("s", 1_000L);
    MILLIS.put("ms", 1L);
    BYTES.put("GiB", 1L << 30);
    BYTES.put("MiB", 1L << 20);
    BYTES.put("KiB", 1L << 10);
    BYTES.put("B", 1L);
  }

  private Units() {}

  /** {@code 20ms}, {@code 90s}, {@code 1.5h}, {@code 7d}; not negative, to the millisecond. */
  public static Duration duration(String text) {
    String notation = "no duration: write 20ms, 5s, 2m, 1h or 7d";
    Duration duration = Duration.ofMillis(whole(text, MILLIS, notation));
    if (duration.compareTo(MAX_DURATION) > 0) {
      throw new IllegalArgumentException("'" + text + "' is longer than " + show(MAX_DURATION));
    }
    return duration;
  }

  /** The same notation as seconds; may be negative and have any fraction. */
  public static double seconds(String text) {
    Matcher m = AMOUNT.matcher(text.strip());
    Long unit = m.matches() ? MILLIS.get(m.group(2)) : null;
    if (unit == null) {
      throw new IllegalArgumentException("'" + text + "' is no duration: write 90s, 40m or 3h");
    }
    double amount = Double.parseDouble(m.group(1));
    return unit < 1000 ? amount / 1000 : amount * (unit / 1000);
  }

  /** {@code 512KiB}, {@code 16MiB}, {@code 1GiB} as bytes. */
  public static long bytes(String text) {
    return whole(text, BYTES, "no size: write 512KiB, 16MiB or 1GiB");
  }

  private static long whole(String text, Map<String, Long> units, String notation) {
    Matcher m = AMOUNT.matcher(text.strip());
    Long unit = m.matches() ? units.get(m.group(2)) : null;
    try {
      if (unit != null && !m.group(1).startsWith("-")) {
        return new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(unit)).longValueExact();
      }
    } catch (ArithmeticException e) { // a fraction of the smallest unit, or beyond a long
      throw new IllegalArgumentException("'" + text + "' is " + notation, e);
    }
    throw new IllegalArgumentException("'" + text + "' is " + notation);
  }

  /** The largest unit that divides the amount, so that reading it back gives the same value. */
  public static String show(Duration duration) {
    return show(duration.toMillis(), MILLIS);
  }

  /** The same for a size. */
  public static String showBytes(long bytes) {
    return show(bytes, BYTES);
  }

  private static String show(long amount, Map<String, Long> units) {
    return units.entrySet().stream()
        .filter(unit -> amount % unit.getValue() == 0 && (amount != 0 || unit.getValue() == 1))
        .map(unit -> amount / unit.getValue() + unit.getKey())
        .findFirst()
        .orElseThrow();
  }

  /** A share: {@code 5%} or {@code 0.05}. */
  public static double share(String text) {
    String s = text.strip();
    boolean percent = s.endsWith("%");
    double value =
        number(percent ? s.substring(0, s.length() - 1).strip() : s) / (percent ? 100 : 1);
    if (value < 0 || value > 1) {
      throw new IllegalArgumentException("'" + text + "' is no share: write 5% or 0.05");
    }
    return value;
  }

  /**
   * The same text when it may be a number as people write one: {@code 5d} and {@code 0x1p3}, which
   * Java reads, are not.
   */
  public static String decimal(String text) {
    for (int i = 0; i < text.length(); i++) {
      if ("dDfFxX".indexOf(text.charAt(i)) >= 0) {
        throw new NumberFormatException("'" + text + "' is not a number");
      }
    }
    return text;
  }

  /** A finite number. */
  public static double number(String text) {
    try {
      double value = Double.parseDouble(decimal(text.strip()));
      if (Double.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a number", e);
    }
    throw new IllegalArgumentException("'" + text + "' is not a finite number");
  }

  /** {@code 12}, also as {@code 12.0}. */
  public static int whole(String text) {
    return (int) whole(text, Integer.MIN_VALUE, Integer.MAX_VALUE);
  }

  /** The same from {@code min} to {@code max}. */
  public static long whole(String text, long min, long max) {
    try {
      long value = new BigDecimal(text.strip()).longValueExact();
      if (value >= min && value <= max) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number in range", e);
    }
    throw new IllegalArgumentException(
        "'%s' is not a whole number from %d to %d".formatted(text, min, max));
  }

  public static boolean truth(String text) {
    if (!text.equals("true") && !text.equals("false")) {
      throw new IllegalArgumentException("'" + text + "' is neither true nor false");
    }
    return text.equals("true");
  }

  /** A constant by its name in lower case with dashes. */
  public static <E extends Enum<E>> E choice(Class<E> type, String text) {
    for (E constant : type.getEnumConstants()) {
      if (kebab(constant).equals(text.strip())) {
        return constant;
      }
    }
    throw new IllegalArgumentException("'" + text + "' is unknown; one of " + names(type));
  }

  /** All names that {@link #choice} takes. */
  public static <E extends Enum<E>> String names(Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(Units::kebab)
        .collect(Collectors.joining(", "));
  }

  private static String kebab(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
