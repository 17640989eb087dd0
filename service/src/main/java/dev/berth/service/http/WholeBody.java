package dev.berth.service.http;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
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
 * <p>What is beyond the limit is read up to as much again and thrown away: a connection that is
 * closed with bytes unread is reset, and the answer that says so is lost with it.
 */
final class WholeBody extends EagerContentHandler.ContentLoader {
  static final String ATTRIBUTE = WholeBody.class.getName();

  /** Buffers between two requests; a score request of 5,000 candidates fits into the largest. */
  private static final BlockingQueue<byte[]> SPARE = new ArrayBlockingQueue<>(8);

  private static final int FIRST = 1 << 16;
  private static final int KEEP = 1 << 21;

  private final long limit;
  private byte[] bytes;
  private int length;
  private long read;

  private WholeBody(
      Handler next, Request request, Response response, Callback callback, long limit) {
    super(next, request, response, callback);
    this.limit = limit;
    byte[] spare = SPARE.poll();
    bytes = spare == null ? new byte[FIRST] : spare;
  }

  static EagerContentHandler.ContentLoaderFactory upTo(long limit) {
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
        return new WholeBody(handler, request, response, callback, limit);
      }
    };
  }

  /** Bytes that are read of a body before it is answered, for a limit. */
  static long mostRead(long limit) {
    return 2 * limit;
  }

  byte[] bytes() {
    return bytes;
  }

  /** Bytes that are kept; more than the limit for a body that is too large. */
  int length() {
    return length;
  }

  /** The bytes have been read: the next request may have the buffer. */
  void release() {
    if (bytes.length <= KEEP) {
      SPARE.offer(bytes);
    }
    bytes = new byte[0];
    length = 0;
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
        release();
        getCallback().failed(chunk.getFailure());
        return;
      }
      take(chunk.getByteBuffer());
      boolean last = chunk.isLast();
      chunk.release();
      if (last || read > mostRead(limit)) {
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

  private void take(ByteBuffer piece) {
    int more = piece.remaining();
    read += more;
    if (length > limit) {
      return;
    }
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
    piece.get(bytes, length, more);
    length += more;
  }
}
