package dev.berth.service.http;

import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Refuses WebSockets, of which there are none. Javalin would take such a request past all routes
 * and their entrance to a servlet of its own, and keep a session of it for good.
 */
final class NoWebSockets extends Handler.Wrapper {
  /** By which Javalin knows them. */
  private static final String HEADER = "Sec-WebSocket-Version";

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    if (request.getHeaders().contains(HEADER)) {
      Response.writeError(request, response, callback, HttpStatus.BAD_REQUEST_400);
      return true;
    }
    return super.handle(request, response, callback);
  }
}
