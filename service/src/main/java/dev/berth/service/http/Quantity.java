package dev.berth.service.http;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Kubernetes quantities: {@code 500m}, {@code 0.5}, {@code 128Mi}, {@code 1e9}. */
final class Quantity {
  private static final Pattern FORM =
      Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)(?:([eE][+-]?\\d{1,2})|([numkMGTPE]|[KMGTPE]i)?)");
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

  private Quantity() {}

  static long milliCores(String text) {
    return parse("cpu", text, 1000, "a Kubernetes quantity such as 500m or 2");
  }

  static long bytes(String text) {
    return parse("memory", text, 1, "a Kubernetes quantity such as 128Mi or 2Gi");
  }

  /** Rounds up, as Kubernetes does. */
  private static long parse(String name, String text, long scale, String expected) {
    Matcher m = FORM.matcher(text.strip());
    if (m.matches()) {
      String exponent = m.group(2) == null ? "" : m.group(2);
      String suffix = m.group(3) == null ? "" : m.group(3);
      BigDecimal unit = SUFFIX.get(suffix);
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
    throw Problem.badRequest(name + "=" + text + " is not " + expected);
  }
}
