package dev.berth.policy.file;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What went wrong with a file, for people: of most troubles Java names the path alone. */
public final class FileTrouble {
  private FileTrouble() {}

  /** The file it went wrong with, or {@code otherwise} where Java does not say. */
  public static String file(IOException e, Object otherwise) {
    return e instanceof FileSystemException known && known.getFile() != null
        ? known.getFile()
        : otherwise.toString();
  }

  /** A few words that name no path, such as {@code access denied}. */
  public static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or folder";
    } else if (e instanceof AccessDeniedException) {
      return "access denied";
    } else if (e instanceof FileAlreadyExistsException) {
      return "something else is there";
    } else if (e instanceof FileSystemException other) {
      return other.getReason() == null ? e.getClass().getSimpleName() : other.getReason();
    } else if (e instanceof EOFException) {
      return "cut short";
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
