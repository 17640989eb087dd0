package dev.berth.policy.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Kubernetes quantities that are not negative: {@code 500m}, {@code 0.5}, {@code 128Mi}, {@code
 * 1e9}. What is finer than the unit is rounded up, as Kubernetes does.
 */
public final class Quantity {
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d{1,30}(?:\\.\\d{0,30})?|\\.\\d{1,30})(?:([eE][+-]?\\d{1,2})|([numkMGTPE]|[KMGTPE]i)?)");
  private static final Map<String, BigDecimal> SUFFIX =
      Map.ofEntries(
          Map.entry("n", new BigDecimal("1e-9")),
          Map.entry("u", new BigDecimal("1e-6")),
          Map.entry("m", new BigDecimal("1e-3")),
          Map.entry("", BigDecimal.ONE),
          Map.entry("k", new BigDecimal("1e3")),
          Map.entry("M", new BigDecimal("1e6")),
          Map.entry("G", new BigDecimal("1e9")),
          Map.entry("T", new BigDecimal("1e12")),
          Map.entry("P", new BigDecimal("1e15")),
          Map.entry("E", new BigDecimal("1e18")),
          Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
          Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
          Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
          Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
          Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
          Map.entry("Ei", BigDecimal.valueOf(1L << 60)));
  private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

  private Quantity() {}

  /** CPU in milli-cores. */
  public static long milliCores(String text) {
    return parse(text, 1000, "500m, 0.5 or 2");
  }

  /** Memory in bytes. */
  public static long bytes(String text) {
    return parse(text, 1, "512Mi or 2Gi");
  }

  /** Milli-cores in their own notation. */
  public static String ofMilliCores(long milli) {
    return milli + "m";
  }

  /** Bytes in the shortest exact notation. */
  public static String ofBytes(long bytes) {
    int power = 0;
    long value = bytes;
    while (power + 1 < BINARY.length && value != 0 && value % 1024 == 0) {
      value /= 1024;
      power++;
    }
    return value + BINARY[power];
  }

  private static long parse(String text, long scale, String examples) {
    Matcher m = FORM.matcher(text.strip());
    if (m.matches()) {
      String exponent = m.group(2) == null ? "" : m.group(2);
      BigDecimal unit = SUFFIX.get(m.group(3) == null ? "" : m.group(3));
      if (unit != null) {
        BigDecimal value =
            new BigDecimal(m.group(1) + exponent)
                .multiply(unit)
                .multiply(BigDecimal.valueOf(scale));
        if (value.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) <= 0) {
          return value.setScale(0, RoundingMode.CEILING).longValueExact();
        }
      }
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a Kubernetes quantity: write " + examples);
  }
}
