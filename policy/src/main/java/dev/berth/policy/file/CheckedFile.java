package dev.berth.policy.file;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A kind of file whose damage shows. Layout, big-endian:
 *
 * <pre>magic, format (4 bytes), body, CRC-32C of all of it (8 bytes)</pre>
 *
 * <p>Thread rule: immutable.
 *
 * @param magic first bytes of every such file, in ASCII
 * @param format number of the body's layout; another one is refused
 * @param name what it is, without an article, for messages
 * @param fix what to do about one that cannot be read, for messages
 */
public record CheckedFile(String magic, int format, String name, String fix) {

  /** Writes a body. */
  @FunctionalInterface
  public interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  /** Reads a body; what it leaves unread is ignored. */
  @FunctionalInterface
  public interface Reader<T> {
    T read(DataInputStream in) throws IOException;
  }

  /** The whole file as bytes. */
  public byte[] encode(Writer body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    try {
      out.write(magicBytes());
      out.writeInt(format);
      body.write(out);
      out.writeLong(checksum(bytes.toByteArray(), bytes.size()));
    } catch (IOException e) {
      throw new UncheckedIOException("memory does not fail to be written", e);
    }
    return bytes.toByteArray();
  }

  /** Whether bytes begin as a file of this kind, whatever follows. */
  public boolean begins(byte[] bytes) {
    byte[] start = magicBytes();
    return bytes.length >= start.length
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @throws IllegalArgumentException saying what is wrong and what to do: something else, another
   *     format, damaged, or whatever the body's reader objects to
   */
  public <T> T decode(byte[] bytes, Reader<T> body) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    int header = magic.length() + Integer.BYTES;
    if (!begins(bytes) || bytes.length < header + Long.BYTES) {
      throw new IllegalArgumentException("this is not a " + name + ": " + fix);
    }
    int found = buffer.getInt(magic.length());
    if (found != format) {
      throw new IllegalArgumentException(
          "the " + name + " has format " + found + ", this build reads " + format + ": " + fix);
    }
    int end = bytes.length - Long.BYTES;
    if (checksum(bytes, end) != buffer.getLong(end)) {
      throw new IllegalArgumentException(
          "the " + name + " is damaged or cut short (checksum): " + fix);
    }
    try {
      return body.read(new DataInputStream(new ByteArrayInputStream(bytes, header, end - header)));
    } catch (IOException e) {
      throw new IllegalArgumentException("the " + name + " ends too early: " + fix, e);
    }
  }

  private byte[] magicBytes() {
    return magic.getBytes(StandardCharsets.US_ASCII);
  }

  private static long checksum(byte[] bytes, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, length);
    return crc.getValue();
  }
}
