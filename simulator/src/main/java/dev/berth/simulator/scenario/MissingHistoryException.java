package dev.berth.simulator.scenario;

/**
 * A scenario names recorded data that is not on this machine. Nothing is wrong with the scenario:
 * who runs many skips it and says so.
 */
public final class MissingHistoryException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  MissingHistoryException(String message) {
    super(message);
  }
}
