package dev.berth.workbench.sweep;

/** A sweep that cannot go on; the message says what and how to mend it. */
public final class SweepException extends RuntimeException {
  public SweepException(String message) {
    super(message);
  }

  public SweepException(String message, Throwable cause) {
    super(message, cause);
  }
}
