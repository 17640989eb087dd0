package dev.berth.service.http;

import java.nio.ByteBuffer;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Gathers a request's body as it arrives, without a thread, and hands the request on when all of it
 * is there, or more than is worth reading. Jetty's own loader retains a network buffer for every
 * piece; this one copies, so that a body that arrives in crumbs holds no more than its bytes.
 *
 * <p>What is beyond the limit is read up to as much again and thrown away, as is a body for which
 * the others have left no memory: a connection that is closed with bytes unread is reset, and the
 * answer that says so is lost with it.
 */
final class WholeBody extends EagerContentHandler.ContentLoader {
  static final String ATTRIBUTE = WholeBody.class.getName();
  private static final byte[] NONE = new byte[0];

  private final BodyBuffers buffers;
  private byte @Nullable [] bytes;
  private long read;

  private WholeBody(
      Handler next, Request request, Response response, Callback callback, BodyBuffers buffers) {
    super(next, request, response, callback);
    this.buffers = buffers;
    bytes = buffers.first();
    Request.addCompletionListener(request, failure -> release()); // whoever refused it
  }

  static EagerContentHandler.ContentLoaderFactory into(BodyBuffers buffers) {
    return new EagerContentHandler.ContentLoaderFactory() {
      @Override
      public @Nullable String getApplicableMimeType() {
        return null;
      }

      @Override
      public EagerContentHandler.ContentLoader newContentLoader(
          String contentType,
          String mimeType,
          Handler handler,
          Request request,
          Response response,
          Callback callback) {
        return new WholeBody(handler, request, response, callback, buffers);
      }
    };
  }

  /** Bytes that are read of a body before it is answered, for a limit. */
  static long mostRead(long limit) {
    return 2 * limit;
  }

  /** More than the limit came. */
  boolean tooLarge() {
    return read > buffers.largest();
  }

  /** It is not too large, but the others took the memory. */
  boolean crowdedOut() {
    return bytes == null && !tooLarge();
  }

  byte[] bytes() {
    byte[] all = bytes;
    return all == null ? NONE : all;
  }

  /** Bytes of {@link #bytes()} that are the body. */
  int length() {
    return bytes == null ? 0 : (int) read;
  }

  /** Nothing may hold the bytes any more: the next body may have the buffer. */
  synchronized void release() {
    if (bytes != null) {
      buffers.giveBack(bytes);
      bytes = null;
    }
  }

  @Override
  protected void load() {
    gather(false);
  }

  private void gather(boolean later) {
    while (true) {
      Content.Chunk chunk = getRequest().read();
      if (chunk == null) {
        getRequest().demand(() -> gather(true));
        return;
      }
      if (Content.Chunk.isFailure(chunk)) {
        failed(chunk.getFailure());
        return;
      }
      take(chunk.getByteBuffer());
      boolean last = chunk.isLast();
      chunk.release();
      if (last || read > mostRead(buffers.largest())) {
        getRequest().setAttribute(ATTRIBUTE, this);
        if (later) {
          getRequest().getContext().execute(this::handle);
        } else {
          handle();
        }
        return;
      }
    }
  }

  private void failed(Throwable failure) {
    if (failure instanceof TimeoutException) {
      Response.writeError(
          getRequest(), getResponse(), getCallback(), HttpStatus.REQUEST_TIMEOUT_408);
    } else {
      getCallback().failed(failure);
    }
  }

  private synchronized void take(ByteBuffer piece) {
    int more = piece.remaining();
    int length = length();
    read += more;
    if (tooLarge()) {
      release();
    }
    if (bytes != null && read > bytes.length) {
      byte[] larger = buffers.larger(bytes, (int) read);
      if (larger == null) {
        release();
      } else {
        bytes = larger;
      }
    }
    if (bytes != null) {
      piece.get(bytes, length, more);
    }
  }
}
