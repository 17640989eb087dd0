package dev.berth.workbench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A folder that is gone when it is closed, and when the process is interrupted before. */
public final class TemporaryFolder implements AutoCloseable {
  private final Path path;
  private final Thread deleteWithUs;

  public TemporaryFolder(String prefix) throws IOException {
    path = Files.createTempDirectory(prefix);
    deleteWithUs = new Thread(this::deleteAtTheEnd, "delete " + path.getFileName());
    Runtime.getRuntime().addShutdownHook(deleteWithUs);
  }

  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    Folders.delete(path);
    try {
      boolean unused = Runtime.getRuntime().removeShutdownHook(deleteWithUs);
    } catch (IllegalStateException e) {
      return; // the process is ending, and the hook deletes what is still there
    }
  }

  /** Others may still be writing there until they end, too: what they make anew stays. */
  private void deleteAtTheEnd() {
    try {
      Folders.delete(path);
    } catch (IOException | UncheckedIOException e) {
      System.err.println(path + " could not be deleted: " + e.getMessage());
    }
  }
}
