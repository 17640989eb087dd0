package dev.berth.service.http;

import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Answers that no thread waits with: they lie in a buffer of their own size, which Jetty writes as
 * fast as the client reads, after the handler has returned.
 */
final class Reply {
  static final String PROBLEM = "application/problem+json";

  private Reply() {}

  static void json(Context ctx, byte[] body) {
    send(ctx, "application/json", body);
  }

  static void send(Context ctx, String type, byte[] body) {
    HttpServletResponse response = ctx.res();
    response.setContentType(type);
    // One byte more than the answer: a full buffer would be flushed at once, by the caller.
    response.setBufferSize(body.length + 1);
    try {
      response.getOutputStream().write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
