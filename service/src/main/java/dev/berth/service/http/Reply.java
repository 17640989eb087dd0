package dev.berth.service.http;

import io.javalin.config.Key;
import io.javalin.http.Context;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.eclipse.jetty.server.Request;

/**
 * Answers that no thread waits with: they lie in a buffer of their own size, which Jetty writes as
 * fast as the client reads, after the handler has returned.
 */
final class Reply {
  static final String PROBLEM = "application/problem+json";

  /**
   * What a port's answers that their clients have not read yet take: Jetty keeps each outside of
   * the heap until its last byte is on the way.
   */
  static final Key<LentBytes> UNREAD = new Key<>("unread");

  /**
   * An answer of no more bytes always has its place, so that people who ask for much keep no probe
   * out: there are no more of them than connections.
   */
  private static final int SMALL = 1 << 16;

  private Reply() {}

  static void json(Context ctx, byte[] body) {
    send(ctx, "application/json", body);
  }

  /**
   * @throws Problem when answers that others do not read leave no memory for it
   */
  static void send(Context ctx, String type, byte[] body) {
    if (body.length > SMALL) {
      borrow(ctx, body.length);
    }
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

  private static void borrow(Context ctx, int bytes) {
    LentBytes memory = ctx.appData(UNREAD);
    if (!memory.lend(bytes)) {
      throw new Problem(
          503,
          "Busy",
          "answers that others have not read have the memory that there is for them: ask again",
          Map.of("Retry-After", "1"));
    }
    Request.addCompletionListener(
        ServletContextRequest.getServletContextRequest(ctx.req()),
        failure -> memory.giveBack(bytes));
  }
}
