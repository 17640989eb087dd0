package dev.berth.service.prometheus;

/** A query got no usable answer; the message says why in words for a log line. */
public final class QueryException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final boolean worthRetrying;

  QueryException(String message, boolean worthRetrying) {
    super(message, null, false, false);
    this.worthRetrying = worthRetrying;
  }

  /** Timeouts, resets and 5xx may pass; a wrong query stays wrong. */
  public boolean worthRetrying() {
    return worthRetrying;
  }
}
