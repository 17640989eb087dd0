package dev.berth.service;

import dev.berth.policy.file.FileTrouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/** The folder a service keeps its state in; held by one process at a time. */
final class StateFolder implements AutoCloseable {
  /** What it keeps names pods, owners and nodes; a folder that is there stays as it is. */
  private static final FileAttribute<?> ONLY_OWNER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

  private final Path folder;
  private final FileChannel lockFile;

  private StateFolder(Path folder, FileChannel lockFile) {
    this.folder = folder;
    this.lockFile = lockFile;
  }

  static StateFolder open(Path folder) {
    try {
      Files.createDirectories(folder, ONLY_OWNER);
      FileChannel lockFile =
          FileChannel.open(
              folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(lockFile) == null) {
        lockFile.close();
        throw new IllegalStateException(
            "another service works in "
                + folder.toAbsolutePath()
                + ": stop it, or name another folder in state-folder");
      }
      return new StateFolder(folder, lockFile);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot use state-folder %s: %s".formatted(folder.toAbsolutePath(), FileTrouble.reason(e))
              + " (name a folder that may be written to; BERTH_STATE_FOLDER in the environment"
              + " does it, too)",
          e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
    try {
      return file.tryLock();
    } catch (OverlappingFileLockException e) {
      return null;
    }
  }

  Path path() {
    return folder;
  }

  /** {@code configured}, or {@code name} in this folder when nothing is configured. */
  Path file(String configured, String name) {
    return configured.isEmpty() ? folder.resolve(name) : Path.of(configured);
  }

  /** {@code name} in this folder; a file of the name it had in former releases becomes it. */
  Path renamed(String former, String name) {
    Path file = folder.resolve(name);
    Path old = folder.resolve(former);
    try {
      if (Files.exists(old) && !Files.exists(file)) {
        Files.move(old, file, StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot rename " + old + " to " + file, e);
    }
    return file;
  }

  /** The lock ends with the channel, and with the process whatever becomes of it. */
  @Override
  public void close() {
    try {
      lockFile.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
