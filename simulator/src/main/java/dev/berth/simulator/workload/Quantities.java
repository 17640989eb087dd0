package dev.berth.simulator.workload;

/** Kubernetes quantities, as far as CPU and memory need them. */
public final class Quantities {
  private static final String[] BINARY = {"", "Ki", "Mi", "Gi", "Ti"};

  private Quantities() {}

  /** {@code "250m"}, {@code "1"}, {@code "0.5"} as milli-cores. */
  public static long cpuMilli(String text) {
    String s = text.strip();
    boolean milli = s.endsWith("m");
    double value = number(milli ? s.substring(0, s.length() - 1) : s, text, "250m, 0.5 or 2");
    return Math.round(milli ? value : value * 1000);
  }

  /** {@code "2Gi"}, {@code "512Mi"}, {@code "1000000"} as bytes. */
  public static long bytes(String text) {
    String s = text.strip();
    for (int power = BINARY.length - 1; power > 0; power--) {
      if (s.endsWith(BINARY[power])) {
        double value = number(s.substring(0, s.length() - 2), text, "512Mi or 2Gi");
        return Math.round(value * (1L << (10 * power)));
      }
    }
    return Math.round(number(s, text, "512Mi or 2Gi"));
  }

  public static String cpu(long milli) {
    return milli + "m";
  }

  /** The shortest exact notation. */
  public static String memory(long bytes) {
    int power = 0;
    long value = bytes;
    while (power + 1 < BINARY.length && value != 0 && value % 1024 == 0) {
      value /= 1024;
      power++;
    }
    return value + BINARY[power];
  }

  private static double number(String digits, String whole, String example) {
    try {
      double value = Double.parseDouble(digits);
      if (value >= 0
          && !Double.isInfinite(value)
          && !digits.endsWith("d")
          && !digits.endsWith("f")) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + whole + "' is no quantity: write " + example, e);
    }
    throw new IllegalArgumentException("'" + whole + "' is no quantity: write " + example);
  }
}
