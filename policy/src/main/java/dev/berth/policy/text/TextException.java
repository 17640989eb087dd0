package dev.berth.policy.text;

import org.jspecify.annotations.Nullable;

/** Text that cannot be used; the message reads {@code source:line: key: what and fix}. */
public final class TextException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private final long line;
  private final String key;
  private final String what;

  /**
   * @param source file or other place where the text stands
   * @param line counts from 1; 0 where there is none
   * @param key may be empty
   */
  public TextException(
      String source, long line, String key, String what, @Nullable Throwable cause) {
    super(
        source + (line > 0 ? ":" + line : "") + ": " + (key.isEmpty() ? "" : key + ": ") + what,
        cause);
    this.line = line;
    this.key = key;
    this.what = what;
  }

  /** Counts from 1; 0 where there is none. */
  public long line() {
    return line;
  }

  /** Empty where there is none. */
  public String key() {
    return key;
  }

  /** What is wrong, and the fix, without the place. */
  public String what() {
    return what;
  }
}
