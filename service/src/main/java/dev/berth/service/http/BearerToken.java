package dev.berth.service.http;

import dev.berth.policy.file.FileTrouble;
import dev.berth.service.config.TokenFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secret that is sent as {@code Authorization: Bearer <token>}. When its file changes, the one
 * before stays good for a while, because whoever sends it reads its own copy later. Thread-safe.
 */
final class BearerToken implements Secrets.Watched {
  private static final String SCHEME = "Bearer ";
  private static final int MIN_CHARACTERS = 16;
  private static final Logger log = LoggerFactory.getLogger(BearerToken.class);
  private static final byte[] NONE = new byte[0];

  /** What is accepted; {@code previous} until {@code until}, as {@link System#nanoTime}. */
  private record Accepted(byte[] current, byte[] previous, long until) {}

  private final @Nullable Path file;
  private final Duration overlap;
  private volatile Accepted accepted;

  /** A token that never changes. */
  BearerToken(String token) {
    this(null, Duration.ZERO, token);
  }

  private BearerToken(@Nullable Path file, Duration overlap, String token) {
    this.file = file;
    this.overlap = overlap;
    accepted = new Accepted(header(token), NONE, System.nanoTime());
  }

  /** Reads the token, or makes one that only this user can read. */
  static BearerToken loadOrCreate(Path file, Duration overlap) {
    try {
      Path folder = file.toAbsolutePath().getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      create(file);
      return new BearerToken(file, overlap, read(file));
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot read or make the token file %s: %s".formatted(file, FileTrouble.reason(e)), e);
    }
  }

  private static String read(Path file) throws IOException {
    String token = TokenFile.read(file);
    if (token.length() < MIN_CHARACTERS) {
      throw new IllegalArgumentException(
          file
              + ": the token must have at least 16 characters; delete the file and start again to"
              + " get a new one");
    }
    return token;
  }

  /** The file is there with its token or not at all, whatever happens meanwhile. */
  private static void create(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return; // made at an earlier start, or mounted: it is used as it is
    }
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    var onlyOwner =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path begun = file.resolveSibling(file.getFileName() + ".tmp");
    Files.deleteIfExists(begun); // what a full disk or a power cut left of an earlier try
    try (var channel =
        Files.newByteChannel(
            begun,
            EnumSet.of(
                StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE, StandardOpenOption.SYNC),
            onlyOwner)) {
      ByteBuffer line = StandardCharsets.US_ASCII.encode(HexFormat.of().formatHex(random) + "\n");
      while (line.hasRemaining()) {
        channel.write(line);
      }
    }
    Files.move(begun, file);
    log.info("made a token: {}; schedulers need it as their tokenFile", file);
  }

  private static byte[] header(String token) {
    return (SCHEME + token).getBytes(StandardCharsets.UTF_8);
  }

  /** By content, not by time: Kubernetes swaps a link, and the new file may be the older one. */
  @Override
  public boolean look() throws IOException {
    if (file == null) {
      return false;
    }
    byte[] next = header(read(file));
    Accepted now = accepted;
    if (MessageDigest.isEqual(now.current(), next)) {
      return false;
    }
    accepted = new Accepted(next, now.current(), System.nanoTime() + overlap.toNanos());
    return true;
  }

  /** Takes the same time whatever part of the header is right. */
  boolean matches(@Nullable String authorization) {
    byte[] given = authorization == null ? NONE : authorization.getBytes(StandardCharsets.UTF_8);
    Accepted now = accepted;
    boolean late =
        System.nanoTime() - now.until() < 0 & MessageDigest.isEqual(now.previous(), given);
    return MessageDigest.isEqual(now.current(), given) | (late & given.length > 0);
  }
}
