package dev.berth.simulator.scenario;

/** A scenario file that cannot be used; the message reads {@code file:line: key: what and fix}. */
public final class ScenarioException extends IllegalArgumentException {
  public ScenarioException(String message) {
    super(message);
  }

  public ScenarioException(String message, Throwable cause) {
    super(message, cause);
  }
}
