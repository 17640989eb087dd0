package dev.berth.service.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The database as it was opened. SQLite goes on writing into a file that was removed, and into one
 * that somebody has emptied: what is acknowledged then is gone with the process.
 */
final class OpenFile {
  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  private final Path path;

  /** Null where the file system has none. */
  private final @Nullable Object key;

  private OpenFile(Path path, @Nullable Object key) {
    this.path = path;
    this.key = key;
  }

  /** To be called once the database is there. */
  static OpenFile at(Path path) throws SQLException {
    return new OpenFile(path, key(path));
  }

  private static @Nullable Object key(Path path) throws SQLException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      throw new SQLException(path + " is not there any more", e);
    }
  }

  /**
   * Takes 7 to 15 us.
   *
   * @throws SQLException where it is another one now, or none
   */
  void check() throws SQLException {
    Object now = key(path);
    if (key != null && !key.equals(now)) {
      throw new SQLException(path + " was replaced while it was open");
    }
    byte[] head;
    try (InputStream in = Files.newInputStream(path)) {
      head = in.readNBytes(MAGIC.length);
    } catch (IOException e) {
      throw new SQLException(path + " cannot be read", e);
    }
    if (!Arrays.equals(head, MAGIC)) {
      throw new SQLException(path + " was overwritten while it was open");
    }
  }
}
