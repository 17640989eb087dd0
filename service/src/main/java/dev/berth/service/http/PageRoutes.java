package dev.berth.service.http;

import dev.berth.service.page.Body;
import dev.berth.service.page.PageData;
import dev.berth.service.page.PageFiles;
import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import java.util.Map;

/**
 * The page and what it draws. Its files tell nothing of the cluster and are open, like probes; its
 * figures are reads like any other.
 */
final class PageRoutes {
  /** Scripts and styles of our own files alone, nothing from elsewhere, and no frame around it. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src"
              + " 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
          "Cross-Origin-Opener-Policy",
          "same-origin",
          "Cross-Origin-Resource-Policy",
          "same-origin",
          "Referrer-Policy",
          "no-referrer",
          "X-Content-Type-Options",
          "nosniff");

  private final PageFiles files = new PageFiles();
  private final PageData data;

  PageRoutes(PageData data) {
    this.data = data;
  }

  /** Whether a path is of the page's files. */
  static boolean isFile(String path) {
    return path.equals("/") || path.startsWith("/page/");
  }

  void declare(RoutesConfig routes) {
    routes.get("/", ctx -> send(ctx, files.start()));
    routes.get("/page/{file}", this::file);
    routes.get("/v1/page/roster", ctx -> send(ctx, data.roster()));
    routes.get("/v1/page/loads", ctx -> send(ctx, data.loads()));
    routes.get("/v1/page/decisions", ctx -> send(ctx, data.decisions()));
  }

  private void file(Context ctx) {
    String name = ctx.pathParam("file");
    send(
        ctx,
        files
            .file(name)
            .orElseThrow(
                () ->
                    new Problem(
                        404, "Not found", "the page has no file '" + name + "': open / instead")));
  }

  /** The browser asks each time whether what it has is still right; figures it keeps nowhere. */
  private static void send(Context ctx, Body body) {
    HEADERS.forEach(ctx::header);
    ctx.header("Cache-Control", isFile(ctx.path()) ? "no-cache" : "no-store");
    ctx.header("Vary", "Accept-Encoding, Authorization");
    ctx.header("ETag", body.etag());
    String known = ctx.header("If-None-Match");
    if (known != null && known.contains(body.etag())) {
      ctx.status(304);
      return;
    }
    String accepted = ctx.header("Accept-Encoding");
    if (accepted != null && accepted.contains("gzip")) {
      ctx.header("Content-Encoding", "gzip");
      Reply.send(ctx, body.type(), body.gzip());
    } else {
      Reply.send(ctx, body.type(), body.plain());
    }
  }
}
