package dev.berth.service.recording;

import dev.berth.policy.text.StrictJson;
import dev.berth.policy.text.TextException;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording entry by entry. Errors name file and line, and what to do.
 *
 * <p>Thread rule: one thread.
 */
public final class RecordingReader implements Closeable {
  private static final int BUFFER = 1 << 16;
  private static final Pattern SCHEMA =
      Pattern.compile("^\\{\"start\":\\{\"schema\":(\\d+),\"berth\":\"([^\"]*)\"");

  private final Path path;
  private final UntilCut plain;
  private final BufferedReader lines;
  private final Entry.Start start;
  private long line;
  private boolean whole;

  private RecordingReader(Path path) throws IOException {
    this.path = path;
    if (Files.isDirectory(path)) {
      throw noRecording(null);
    }
    InputStream file = Files.newInputStream(path);
    try {
      plain = new UntilCut(new GZIPInputStream(file, BUFFER));
      lines = new BufferedReader(new InputStreamReader(plain, StandardCharsets.UTF_8), BUFFER);
      start = first();
    } catch (ZipException e) {
      file.close();
      throw noRecording(e);
    } catch (EOFException e) {
      file.close();
      throw new IllegalArgumentException(path + " is empty: the copy is incomplete", e);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /**
   * @throws IllegalArgumentException for something else than a recording of a schema that is known
   */
  public static RecordingReader open(Path path) throws IOException {
    return new RecordingReader(path);
  }

  private Entry.Start first() throws IOException {
    String text = lines.readLine();
    line = 1;
    Matcher head = SCHEMA.matcher(text == null ? "" : text);
    if (text == null || !head.find()) {
      throw noRecording(null);
    }
    int schema = Integer.parseInt(head.group(1));
    if (schema < Entry.OLDEST_SCHEMA || schema > Entry.SCHEMA) {
      throw new IllegalArgumentException(
          path
              + " is a recording of schema "
              + schema
              + ", this is schema "
              + Entry.SCHEMA
              + ": replay it with the release that wrote it, "
              + head.group(2));
    }
    Entry.Start found = parse(text).start();
    if (found == null) {
      throw noRecording(null);
    }
    return found;
  }

  private IllegalArgumentException noRecording(@Nullable Throwable cause) {
    return new IllegalArgumentException(
        path + " is no recording: name a file that recording.file made", cause);
  }

  /** What was known when it began. */
  public Entry.Start start() {
    return start;
  }

  /**
   * The next entry; null at the end.
   *
   * @throws CutShortException where the recording ends without its last line
   * @throws IllegalArgumentException for a line that is damaged
   */
  public @Nullable Entry next() throws IOException {
    while (true) {
      String text = lines.readLine();
      boolean fragment = plain.cut && !lines.ready();
      if (text == null && whole) {
        return null;
      }
      if (text == null || fragment) {
        throw new CutShortException(path, line);
      }
      line++;
      Entry entry = parse(text);
      Long end = entry.end();
      whole = end != null;
      if (end == null) {
        return entry;
      }
      if (end != line - 1) {
        throw new IllegalArgumentException(
            path + ":" + line + ": it ends after " + end + " lines, but has " + (line - 1));
      }
    }
  }

  /** Number of the line that was read last. */
  public long line() {
    return line;
  }

  private Entry parse(String text) {
    try {
      return StrictJson.read(text.getBytes(StandardCharsets.UTF_8), Entry.class, path.toString());
    } catch (TextException e) {
      String key = e.key().isEmpty() ? "" : e.key() + ": ";
      throw new IllegalArgumentException(
          path + ":" + line + ": damaged, or written by another release: " + key + e.what(), e);
    }
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  /** Ends where the compressed file does, even if that is in the middle of something. */
  private static final class UntilCut extends FilterInputStream {
    private boolean cut;

    UntilCut(InputStream in) {
      super(in);
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      try {
        return cut ? -1 : super.read(bytes, from, length);
      } catch (EOFException | ZipException e) {
        cut = true;
        return -1;
      }
    }

    @Override
    public int available() throws IOException {
      return cut ? 0 : super.available();
    }
  }

  /** The file ends before the recording does. */
  public static final class CutShortException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    CutShortException(Path path, long line) {
      super(
          path
              + " is cut short after line "
              + line
              + ": the service still runs, was killed, or the copy is incomplete; --partial replays"
              + " what is there");
    }
  }
}
