package dev.berth.service.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;

/**
 * An answer that many will get: compressed once, with a tag by which a browser asks whether it has
 * changed. The arrays are not copied.
 *
 * @param type media type
 * @param etag as in the header, quotes included
 */
public record Body(String type, byte[] plain, byte[] gzip, String etag) {
  private static final int TAG_BYTES = 12;

  static Body of(String type, byte[] plain) {
    ByteArrayOutputStream gzip = new ByteArrayOutputStream(plain.length / 2);
    try (GZIPOutputStream out = new GZIPOutputStream(gzip)) {
      out.write(plain);
    } catch (IOException e) {
      throw new UncheckedIOException(e); // memory does not fail
    }
    return new Body(type, plain, gzip.toByteArray(), '"' + tag(plain) + '"');
  }

  private static String tag(byte[] plain) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(plain);
      return HexFormat.of().formatHex(hash, 0, TAG_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
