package dev.berth.simulator.experiment;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** One at a time in a folder: a lock that ends with its process, however that ends. */
public final class FolderLock {
  private FolderLock() {}

  /**
   * Takes the lock until what is returned is closed.
   *
   * @param file whose lock it is; made where there is none, and left there
   * @param busy what to say where somebody else has it
   * @throws IllegalStateException saying so
   */
  public static Closeable take(Path file, String busy) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean taken = false;
    try {
      taken = isFree(channel);
    } finally {
      if (!taken) {
        channel.close();
      }
    }
    if (!taken) {
      throw new IllegalStateException(busy);
    }
    return channel;
  }

  /**
   * The same for a command that writes into a folder, which is made where there is none.
   *
   * @param work what the command is called, such as a training
   */
  public static Closeable ofWork(Path folder, String work) throws IOException {
    Files.createDirectories(folder);
    return take(
        folder.resolve("lock"),
        "another %s is at work in %s: wait for it, or choose another --out"
            .formatted(work, folder));
  }

  private static boolean isFree(FileChannel file) throws IOException {
    try {
      return file.tryLock() != null;
    } catch (OverlappingFileLockException e) { // by this very process
      return false;
    }
  }
}
