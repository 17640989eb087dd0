package dev.berth.service.operator;

import java.util.regex.Pattern;

/** What others wrote, fit for a terminal. */
public final class Printable {
  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}&&[^\\s]]");

  private Printable() {}

  /** The text without what would move a cursor, change colours or set a title. */
  public static String text(String text) {
    return CONTROLS.matcher(text).replaceAll("?");
  }

  /** The same, of so many characters at most, and dots where there were more. */
  public static String text(String text, int most) {
    return text(text.length() <= most ? text : text.substring(0, most) + "...");
  }
}
