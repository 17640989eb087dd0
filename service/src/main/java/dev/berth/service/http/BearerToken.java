package dev.berth.service.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.EnumSet;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** The secret every POST carries as {@code Authorization: Bearer <token>}. */
public final class BearerToken {
  private static final String SCHEME = "Bearer ";
  private final byte[] expected;

  BearerToken(String token) {
    expected = (SCHEME + token).getBytes(StandardCharsets.UTF_8);
  }

  /** Reads the token, or makes one that only this user can read. */
  public static BearerToken loadOrCreate(Path file) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      create(file);
      String token = Files.readString(file).strip();
      if (token.length() < 16) {
        throw new IllegalArgumentException(
            file
                + ": the token must have at least 16 characters; delete the file to get a new one");
      }
      return new BearerToken(token);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read or make the token file " + file, e);
    }
  }

  private static void create(Path file) throws IOException {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    var onlyOwner =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    try (var channel =
        Files.newByteChannel(
            file, EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), onlyOwner)) {
      String line = HexFormat.of().formatHex(random) + "\n";
      channel.write(StandardCharsets.US_ASCII.encode(line));
    } catch (FileAlreadyExistsException e) {
      // Made at an earlier start, or mounted: it is used as it is.
      return;
    }
  }

  /** Takes the same time whatever part of the header is right. */
  boolean matches(@Nullable String authorization) {
    byte[] given =
        authorization == null ? new byte[0] : authorization.getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(expected, given);
  }
}
