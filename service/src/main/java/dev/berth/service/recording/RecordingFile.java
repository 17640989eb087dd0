package dev.berth.service.recording;

import dev.berth.policy.text.StrictJson;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.GZIPOutputStream;

/**
 * Writes entries, one JSON object a line, compressed as gzip. What is flushed can be read even if
 * the process is killed; the last line says that the recording is whole.
 *
 * <p>Thread rule: one thread.
 */
public final class RecordingFile implements Closeable {
  private static final int BUFFER = 1 << 16;

  private final Path path;
  private final OutputStream out;
  private long lines;

  private RecordingFile(Path path, long lines, OpenOption... options) throws IOException {
    this.path = path;
    OutputStream file = new BufferedOutputStream(Files.newOutputStream(path, options), BUFFER);
    this.out = new GZIPOutputStream(file, BUFFER, true);
    this.lines = lines;
  }

  /**
   * @throws java.nio.file.FileAlreadyExistsException rather than write over another recording
   */
  static RecordingFile create(Path path) throws IOException {
    return new RecordingFile(path, 0, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /**
   * Adds to a recording that has ended, as another member of the gzip file.
   *
   * @throws IllegalArgumentException if it is not whole
   */
  public static RecordingFile append(Path path) throws IOException {
    long lines;
    try (RecordingReader reader = RecordingReader.open(path)) {
      Entry entry = reader.next();
      while (entry != null) {
        entry = reader.next();
      }
      lines = reader.line();
    }
    return new RecordingFile(path, lines, StandardOpenOption.APPEND);
  }

  public void write(Entry entry) throws IOException {
    out.write(StrictJson.compact(entry));
    out.write('\n');
    lines++;
  }

  void flush() throws IOException {
    out.flush();
  }

  /** On disk after the last flush. */
  long bytes() throws IOException {
    return Files.size(path);
  }

  /** Writes that the recording is whole. */
  @Override
  public void close() throws IOException {
    try (out) {
      write(Entry.ofEnd(lines));
    }
  }
}
