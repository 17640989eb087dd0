package dev.berth.service.store;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The database as it was opened, and the files that SQLite keeps beside it meanwhile. It goes on
 * writing into a file that was removed, and into one that somebody has emptied: what is
 * acknowledged then is gone with the process.
 */
final class OpenFile {
  private static final byte[] MAGIC = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

  private final Path path;

  /** Null where the file system has none. */
  private final @Nullable Object key;

  /** What is newest stands in the first of them alone. */
  private final List<Beside> beside;

  /**
   * @param key null where the file system has none
   */
  private record Beside(Path path, @Nullable Object key) {}

  private OpenFile(Path path, @Nullable Object key, List<Beside> beside) {
    this.path = path;
    this.key = key;
    this.beside = beside;
  }

  /** To be called once the database is there. */
  static OpenFile at(Path path) throws SQLException {
    List<Beside> beside = new ArrayList<>();
    for (String ending : new String[] {"-wal", "-shm"}) {
      Path each = path.resolveSibling(path.getFileName() + ending);
      if (Files.exists(each)) { // where shared memory cannot be had there are none
        beside.add(new Beside(each, key(each)));
      }
    }
    return new OpenFile(path, key(path), beside);
  }

  private static @Nullable Object key(Path path) throws SQLException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    } catch (IOException e) {
      throw new SQLException(path + " is not there any more", e);
    }
  }

  /**
   * @throws SQLException where it, or a file beside it, is another one now, or none
   */
  void check() throws SQLException {
    checkDatabase();
    for (Beside each : beside) {
      Object now = key(each.path());
      if (each.key() != null && !each.key().equals(now)) {
        throw new SQLException(each.path() + " was replaced while it was open");
      }
    }
  }

  /** The same of the database alone: with it what was written into it is lost. */
  void checkDatabase() throws SQLException {
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
