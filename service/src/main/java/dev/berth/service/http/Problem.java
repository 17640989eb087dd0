package dev.berth.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.LinkedHashMap;
import java.util.Map;

/** An answer that is an error (RFC 9457); the detail names the value and the fix. */
final class Problem extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final int MAX_DETAIL = 600;
  private final int status;
  private final String title;
  private final transient Map<String, String> headers;

  Problem(int status, String title, String detail) {
    this(status, title, detail, Map.of());
  }

  Problem(int status, String title, String detail, Map<String, String> headers) {
    // Problems are answers, not defects: no stack trace, and none of its cost.
    super(shortened(detail), null, false, false);
    this.status = status;
    this.title = title;
    this.headers = headers;
  }

  /** A detail quotes what came; without its middle it still says what is wrong and the fix. */
  private static String shortened(String detail) {
    int n = detail.length();
    return n <= MAX_DETAIL
        ? detail
        : detail.substring(0, MAX_DETAIL / 2) + " ... " + detail.substring(n - MAX_DETAIL / 2);
  }

  static Problem badRequest(String detail) {
    return new Problem(400, "Bad request", detail);
  }

  int status() {
    return status;
  }

  String detail() {
    return String.valueOf(getMessage());
  }

  Map<String, String> headers() {
    return headers;
  }

  /** As it is sent. */
  byte[] body() {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("title", title);
    body.put("status", status);
    body.put("detail", detail());
    try {
      return Json.READABLE.writeValueAsBytes(body);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
