package dev.berth.service.cli;

import dev.berth.policy.file.FileTrouble;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where a command will write, tried before its work and not after it. */
public final class OutputPlace {
  private OutputPlace() {}

  /**
   * Makes a folder where there is none.
   *
   * @throws IOException naming it, when no file can be written there
   */
  public static void folder(Path folder) throws IOException {
    try {
      Files.createDirectories(folder);
      Files.delete(
          Files.createTempFile(folder, ".try", null)); // root may do what no file system can
    } catch (IOException e) {
      throw unwritable(folder, e);
    }
  }

  /**
   * Leaves the file as it is.
   *
   * @throws IOException naming it, when it cannot be written
   */
  public static void file(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a folder: name a file");
    }
    boolean there = Files.exists(file);
    try {
      Files.newByteChannel(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE).close();
      if (!there) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw unwritable(file, e);
    }
  }

  private static IOException unwritable(Path place, IOException e) {
    return new IOException(
        "cannot write " + place + ": " + FileTrouble.reason(e) + ": name another place", e);
  }
}
