package dev.berth.service.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file that somebody named on the command line. */
final class NamedFile {
  private NamedFile() {}

  /**
   * @throws IOException naming the file and why it is none that can be used
   */
  static String text(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a folder: name a file");
    }
    try {
      return Files.readString(file);
    } catch (CharacterCodingException e) {
      throw new IOException(file + " is no text: name another file", e);
    }
  }
}
