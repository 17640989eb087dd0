package dev.berth.service.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The page's own files, from the jar: plain HTML, CSS and ES modules, served as they were written.
 * They hold nothing of any cluster. Immutable.
 */
public final class PageFiles {
  private static final String START = "index.html";
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "svg", "image/svg+xml");

  /** A file that is not named here is not served. */
  static final List<String> NAMES =
      List.of(
          START,
          "style.css",
          "icon.svg",
          "main.js",
          "api.js",
          "dom.js",
          "format.js",
          "colour.js",
          "nodes.js",
          "groups.js",
          "heat.js",
          "heatmap.js",
          "node.js",
          "decisions.js",
          "explain.js",
          "regret.js",
          "status.js");

  private static final String BINARY = "application/octet-stream";

  private final Map<String, Body> files = new LinkedHashMap<>();

  public PageFiles() {
    for (String name : NAMES) {
      String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), BINARY);
      files.put(name, Body.of(type, read(name)));
    }
  }

  private static byte[] read(String name) {
    try (InputStream in = PageFiles.class.getResourceAsStream("/page/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks page/" + name + ": build it again");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read page/" + name, e);
    }
  }

  /** The page itself. */
  public Body start() {
    return Objects.requireNonNull(files.get(START));
  }

  public Optional<Body> file(String name) {
    return Optional.ofNullable(files.get(name));
  }
}
