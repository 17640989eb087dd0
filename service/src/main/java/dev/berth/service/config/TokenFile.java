package dev.berth.service.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file with a bearer token, one line. What stands in it goes into no message: it is a secret, or
 * another file that was named by mistake, perhaps with one.
 */
public final class TokenFile {
  private TokenFile() {}

  /**
   * @throws IOException naming the file and why it has no token
   */
  public static String read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a folder: name a file with a token");
    }
    String token;
    try {
      token = Files.readString(file).strip();
    } catch (CharacterCodingException e) {
      throw none(file);
    }
    if (token.isEmpty()) {
      throw new IOException(file + " is empty: want a token");
    }
    if (!token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw none(file);
    }
    return token;
  }

  private static IOException none(Path file) {
    return new IOException(file + " has no token: want one line without spaces");
  }
}
