package dev.berth.service.doctor;

import dev.berth.service.operator.Printable;

/**
 * One thing that is not as it should be, or good to know.
 *
 * @param about what was looked at, in a word or two
 * @param what is wrong
 * @param mend the command, or the change, that mends it; of a note, where to read on
 */
public record Finding(Level level, String about, String what, String mend) {
  public Finding {
    what = Printable.withoutClasses(what);
  }

  /** How bad it is. */
  public enum Level {
    /** Berth does not decide, or not as it should. */
    ERROR,
    /** It decides, less well or not for long. */
    WARNING,
    /** Nothing is wrong. */
    NOTE
  }

  static Finding error(String about, String what, String mend) {
    return new Finding(Level.ERROR, about, what, mend);
  }

  static Finding note(String about, String what, String more) {
    return new Finding(Level.NOTE, about, what, more);
  }

  static Finding warning(String about, String what, String mend) {
    return new Finding(Level.WARNING, about, what, mend);
  }
}
