package dev.berth.simulator.scenario;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Values as people write them in scenario files. Errors name the value and the notation. */
final class Units {
  private Units() {}

  static double seconds(String text) {
    String s = text.strip();
    double unit =
        switch (s.isEmpty() ? ' ' : s.charAt(s.length() - 1)) {
          case 's' -> 1;
          case 'm' -> 60;
          case 'h' -> 3600;
          case 'd' -> 86_400;
          default ->
              throw new IllegalArgumentException(
                  "'" + text + "' has no unit: write 90s, 40m or 3h");
        };
    try {
      return Double.parseDouble(s.substring(0, s.length() - 1)) * unit;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is no duration: write 90s, 40m or 3h", e);
    }
  }

  static double share(String text) {
    String s = text.strip();
    boolean percent = s.endsWith("%");
    double value =
        number(percent ? s.substring(0, s.length() - 1).strip() : s) / (percent ? 100 : 1);
    if (value < 0 || value > 1) {
      throw new IllegalArgumentException("'" + text + "' is no share: write 5% or 0.05");
    }
    return value;
  }

  static double speed(String text) {
    double value = number(text);
    if (!(value > 0)) {
      throw new IllegalArgumentException(
          "'" + text + "' is no speed: write a number above 0, such as 0.7");
    }
    return value;
  }

  static double number(String text) {
    try {
      double value = Double.parseDouble(text.strip());
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException("'" + text + "' is not finite");
      }
      return value;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a number", e);
    }
  }

  static int whole(String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a whole number", e);
    }
  }

  static <E extends Enum<E>> E choice(Class<E> type, String text) {
    for (E constant : type.getEnumConstants()) {
      if (kebab(constant).equals(text.strip())) {
        return constant;
      }
    }
    throw new IllegalArgumentException("'" + text + "' is unknown; one of " + names(type));
  }

  static <E extends Enum<E>> String names(Class<E> type) {
    return Arrays.stream(type.getEnumConstants())
        .map(Units::kebab)
        .collect(Collectors.joining(", "));
  }

  static String kebab(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
