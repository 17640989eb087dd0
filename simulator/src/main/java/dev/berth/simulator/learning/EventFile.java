package dev.berth.simulator.learning;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.zip.CRC32C;

/**
 * A TensorBoard event file, appended to when it exists. A record is {@code length, masked crc of
 * it, bytes, masked crc of them}, little-endian; the bytes are an {@code Event} in protobuf
 * encoding, written by hand because no small library exists.
 */
public final class EventFile implements Closeable {
  private static final int VARINT = 0;
  private static final int FIXED64 = 1;
  private static final int BYTES = 2;
  private static final int FIXED32 = 5;

  private final OutputStream out;

  /** Opens {@code events.out.tfevents.berth} in a folder. */
  public EventFile(Path folder) throws IOException {
    Path file = folder.resolve("events.out.tfevents.berth");
    boolean fresh = !Files.exists(file);
    out = Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    if (fresh) {
      Message event = new Message().fixed64(1, Double.doubleToLongBits(0));
      record(event.bytes(3, "brain.Event:2".getBytes(StandardCharsets.UTF_8)));
    }
  }

  /** One figure at a step. */
  public void scalar(String tag, long step, double value) throws IOException {
    Message figure = new Message().bytes(1, tag.getBytes(StandardCharsets.UTF_8));
    figure.fixed32(2, Float.floatToIntBits((float) value));
    event(step, figure);
  }

  /**
   * A histogram at a step.
   *
   * @param limits right edge of every bucket, rising
   * @param counts of the buckets
   */
  public void histogram(String tag, long step, double[] limits, int[] counts) throws IOException {
    double n = 0;
    double sum = 0;
    double squares = 0;
    ByteBuffer edges = ByteBuffer.allocate(8 * limits.length).order(ByteOrder.LITTLE_ENDIAN);
    ByteBuffer heights = ByteBuffer.allocate(8 * limits.length).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < limits.length; i++) {
      n += counts[i];
      sum += counts[i] * limits[i];
      squares += counts[i] * limits[i] * limits[i];
      edges.putDouble(limits[i]);
      heights.putDouble(counts[i]);
    }
    Message histogram = new Message();
    double[] head = {limits[0], limits[limits.length - 1], n, sum, squares};
    for (int field = 0; field < head.length; field++) {
      histogram.fixed64(field + 1, Double.doubleToLongBits(head[field]));
    }
    histogram.bytes(6, edges.array()).bytes(7, heights.array());
    Message value = new Message().bytes(1, tag.getBytes(StandardCharsets.UTF_8));
    event(step, value.bytes(5, histogram.array()));
  }

  private void event(long step, Message value) throws IOException {
    double seconds = System.currentTimeMillis() / 1000.0;
    Message event = new Message().fixed64(1, Double.doubleToLongBits(seconds)).varint(2, step);
    record(event.bytes(5, new Message().bytes(1, value.array()).array()));
  }

  private void record(Message event) throws IOException {
    byte[] bytes = event.array();
    ByteBuffer head = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    head.putLong(0, bytes.length);
    out.write(head.array());
    out.write(little(masked(head.array())));
    out.write(bytes);
    out.write(little(masked(bytes)));
    out.flush();
  }

  private static byte[] little(int value) {
    return ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(0, value).array();
  }

  private static int masked(byte[] bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return Integer.rotateRight((int) crc.getValue(), 15) + 0xa282ead8;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }

  /** A protobuf message under construction. */
  private static final class Message {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    byte[] array() {
      return out.toByteArray();
    }

    Message varint(int field, long value) {
      number(field << 3 | VARINT);
      number(value);
      return this;
    }

    Message bytes(int field, byte[] value) {
      number(field << 3 | BYTES);
      number(value.length);
      out.writeBytes(value);
      return this;
    }

    Message fixed64(int field, long value) {
      number(field << 3 | FIXED64);
      out.writeBytes(
          ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(0, value).array());
      return this;
    }

    Message fixed32(int field, int value) {
      number(field << 3 | FIXED32);
      out.writeBytes(little(value));
      return this;
    }

    private void number(long value) {
      long rest = value;
      while ((rest & ~0x7FL) != 0) {
        out.write((int) (rest & 0x7F | 0x80));
        rest >>>= 7;
      }
      out.write((int) rest);
    }
  }
}
