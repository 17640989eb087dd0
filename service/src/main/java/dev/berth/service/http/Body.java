package dev.berth.service.http;

import dev.berth.service.config.DataSize;
import io.javalin.http.Context;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/** Reads a request body into a buffer that its thread keeps. */
final class Body {
  private static final ThreadLocal<byte[]> BUFFER =
      ThreadLocal.withInitial(() -> new byte[1 << 16]);
  private static final int KEEP = 1 << 21;

  private final byte[] bytes;
  private final int length;

  private Body(byte[] bytes, int length) {
    this.bytes = bytes;
    this.length = length;
  }

  /** Valid until the same thread reads its next body; longer than {@code limit} is refused. */
  static Body read(Context ctx, DataSize limit) throws IOException {
    byte[] buffer = BUFFER.get();
    int length = 0;
    InputStream in = ctx.req().getInputStream();
    while (true) {
      if (length == buffer.length) {
        buffer = Arrays.copyOf(buffer, length * 2);
      }
      int read = in.read(buffer, length, buffer.length - length);
      if (read < 0) {
        break;
      }
      length += read;
      if (length > limit.bytes()) {
        throw new Problem(
            413,
            "Content too large",
            "the body has more than " + limit + ": raise server.max-body or send less");
      }
    }
    if (buffer.length <= KEEP) {
      BUFFER.set(buffer);
    }
    return new Body(buffer, length);
  }

  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }
}
