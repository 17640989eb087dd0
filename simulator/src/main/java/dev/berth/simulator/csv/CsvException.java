package dev.berth.simulator.csv;

/** A CSV file that cannot be used; the message reads {@code file:line: what and fix}. */
public final class CsvException extends IllegalArgumentException {
  public CsvException(String message) {
    super(message);
  }

  public CsvException(String message, Throwable cause) {
    super(message, cause);
  }
}
