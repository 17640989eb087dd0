package dev.berth.service.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A file with a bearer token, one line. What stands in it goes into no message: it is a secret, or
 * another file that was named by mistake, perhaps with one.
 */
public final class TokenFile {
  /** A service account's has some hundreds. */
  private static final int MOST_BYTES = 1 << 16;

  private TokenFile() {}

  /**
   * @throws IOException naming the file and why it has no token
   */
  public static String read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new IOException(file + " is a folder: name a file with a token");
    }
    byte[] text;
    try (InputStream in = Files.newInputStream(file)) { // it may be a device, which has no end
      text = in.readNBytes(MOST_BYTES + 1);
    }
    if (text.length > MOST_BYTES) {
      throw none(file);
    }
    String token = new String(text, StandardCharsets.UTF_8).strip();
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
