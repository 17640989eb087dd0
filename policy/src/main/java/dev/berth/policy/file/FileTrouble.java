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

  /** A few words that name no path, such as {@code access denied}. */
  public static String reason(IOException e) {
    if (e instanceof NoSuchFileException) {
      return "no such file or folder";
    } else if (e instanceof AccessDeniedException) {
      return "access denied";
    } else if (e instanceof FileAlreadyExistsException) {
      return "something else is there";
    } else if (e instanceof FileSystemException other && other.getReason() != null) {
      return other.getReason();
    } else if (e instanceof EOFException) {
      return "cut short";
    }
    return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
  }
}
