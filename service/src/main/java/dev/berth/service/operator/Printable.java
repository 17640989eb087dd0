package dev.berth.service.operator;

import java.util.regex.Pattern;

/** What others wrote, fit for a terminal. */
public final class Printable {
  private static final Pattern CONTROLS = Pattern.compile("[\\p{Cc}\\p{Cf}&&[^\\n\\t]]");
  private static final Pattern LINE_BREAKS = Pattern.compile("[\\n\\t\\u2028\\u2029]+");

  /** With what follows it, or else with what leads to it. */
  private static final Pattern JAVA_CLASS =
      Pattern.compile(
          "\\b(javax?|sun)\\.[\\w.$]+(Exception|Error): |:? ?\\b(javax?|sun)\\.[\\w.$]+(Exception|Error)\\b");

  private Printable() {}

  /** The text without Java's names of what went wrong, which help nobody to mend it. */
  public static String withoutClasses(String text) {
    return JAVA_CLASS.matcher(text).replaceAll("");
  }

  /** The text without what would move a cursor, turn lines round, change colours or set a title. */
  public static String text(String text) {
    return CONTROLS.matcher(text).replaceAll("?");
  }

  /** The same on one line, of so many characters at most, and dots where there were more. */
  public static String text(String text, int most) {
    String cut = text.length() <= most ? text : text.substring(0, most) + "...";
    return LINE_BREAKS.matcher(text(cut)).replaceAll(" ");
  }
}
