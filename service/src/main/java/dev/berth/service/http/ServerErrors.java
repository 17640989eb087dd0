package dev.berth.service.http;

import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * What the server itself refuses, before any route sees it: answered and counted as a route does,
 * where Jetty's own page would name the classes of its exceptions.
 */
final class ServerErrors extends ErrorHandler {
  private final Consumer<Problem> count;
  private final BooleanSupplier full;

  /**
   * @param full whether others wait for a connection
   */
  ServerErrors(Consumer<Problem> count, BooleanSupplier full) {
    this.count = count;
    this.full = full;
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  @Override
  protected void generateResponse(
      Request request,
      Response response,
      int code,
      @Nullable String message,
      @Nullable Throwable cause,
      Callback callback) {
    Problem problem = problem(code);
    if (!gone(message, cause)) {
      count.accept(problem);
    }
    response.getHeaders().put(HttpHeader.CONTENT_TYPE, Reply.PROBLEM);
    if (full.getAsBoolean()) {
      response.getHeaders().put(HttpHeader.CONNECTION, "close");
    }
    response.write(true, ByteBuffer.wrap(problem.body()), callback);
  }

  /** Nobody waits for an answer, nor was anything refused: the client went away half-way. */
  private static boolean gone(@Nullable String message, @Nullable Throwable cause) {
    return cause instanceof EofException || "Early EOF".equals(message);
  }

  static Problem problem(int code) {
    return new Problem(code, HttpStatus.getMessage(code), detail(code));
  }

  private static String detail(int code) {
    return switch (code) {
      case HttpStatus.REQUEST_TIMEOUT_408 ->
          "the rest did not come within server.idle-timeout: send all of it, or raise that";
      case HttpStatus.URI_TOO_LONG_414, HttpStatus.REQUEST_HEADER_FIELDS_TOO_LARGE_431 ->
          "the line of the request and its headers may have 8 KiB: send less";
      case HttpStatus.EXPECTATION_FAILED_417 ->
          "of Expect only 100-continue is known: leave it out";
      case HttpStatus.SERVICE_UNAVAILABLE_503 -> "the service is stopping: ask again";
      case HttpStatus.HTTP_VERSION_NOT_SUPPORTED_505 -> "send HTTP/1.1";
      default ->
          code < 500
              ? "it is no valid HTTP, or a WebSocket: send what api/openapi.yaml says"
              : "the service's log has the cause";
    };
  }
}
