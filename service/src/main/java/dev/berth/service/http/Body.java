package dev.berth.service.http;

import dev.berth.service.config.DataSize;
import io.javalin.http.Context;
import org.jspecify.annotations.Nullable;

/** The body of a POST: all of it, of a type that is taken by its header, not too large. */
final class Body implements AutoCloseable {
  private static final byte[] EMPTY = new byte[0];
  private static final String JSON = "application/json";

  /** A question whose nodes are binary columns; its answer has binary scores. */
  static final String COLUMNS = "application/vnd.berth.columns";

  private final @Nullable WholeBody whole;
  private final boolean columns;

  private Body(@Nullable WholeBody whole, boolean columns) {
    this.whole = whole;
    this.columns = columns;
  }

  /** JSON only. */
  static Body of(Context ctx, DataSize limit) {
    return of(ctx, limit, false);
  }

  /**
   * @param takesColumns whether a binary question is taken, too
   */
  static Body of(Context ctx, DataSize limit, boolean takesColumns) {
    WholeBody whole = ctx.attribute(WholeBody.ATTRIBUTE);
    // A body that says it is far too large has not been waited for.
    if (ctx.req().getContentLengthLong() > limit.bytes() || (whole != null && whole.tooLarge())) {
      throw new Problem(
          413,
          "Content too large",
          "the body has more than " + limit + ": raise server.max-body or send less");
    }
    if (whole != null && whole.crowdedOut()) {
      throw new Problem(
          503,
          "Busy",
          "bodies of other requests have the memory that there is for them: ask again");
    }
    String type = ctx.header("Content-Type"); // as it came: Javalin would look up its charset
    boolean columns = takesColumns && COLUMNS.equals(type);
    if (type != null && !columns && !type.split(";", 2)[0].strip().equalsIgnoreCase(JSON)) {
      throw new Problem(
          415,
          "Unsupported media type",
          "Content-Type is '" + type + "': send " + JSON + ", or leave it out");
    }
    return new Body(whole, columns);
  }

  /** Whether it is a binary question. */
  boolean columns() {
    return columns;
  }

  byte[] bytes() {
    return whole == null ? EMPTY : whole.bytes();
  }

  int length() {
    return whole == null ? 0 : whole.length();
  }

  /** Nothing may hold the bytes any more. */
  @Override
  public void close() {
    if (whole != null) {
      whole.release();
    }
  }
}
