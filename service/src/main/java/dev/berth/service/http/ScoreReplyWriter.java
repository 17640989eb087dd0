package dev.berth.service.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.berth.service.scoring.ScoreReply;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the reply of {@code POST /v1/score} into one exact byte array, in either form. */
final class ScoreReplyWriter {
  /** Digits and comma of every possible score. */
  private static final byte[][] SCORES = new byte[101][];

  static {
    Arrays.setAll(SCORES, i -> ascii(i + ","));
  }

  private static final byte[] TRUE = ascii("true");
  private static final byte[] FALSE = ascii("false");

  private byte[] buffer;
  private int length;

  private ScoreReplyWriter(int expected) {
    buffer = new byte[expected];
  }

  static byte[] write(ScoreReply reply) {
    ScoreReplyWriter out = new ScoreReplyWriter(512 + 4 * reply.scores().length);
    out.reply(reply);
    return Arrays.copyOf(out.buffer, out.length);
  }

  /** The binary form: length of the JSON part, this without its scores, then a byte a score. */
  static byte[] binary(ScoreReply reply) {
    int[] scores = reply.scores();
    ScoreReplyWriter out = new ScoreReplyWriter(512 + scores.length);
    out.length = Integer.BYTES;
    out.head(reply);
    out.tail(reply);
    byte[] bytes = Arrays.copyOf(out.buffer, out.length + scores.length);
    ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(0, out.length - Integer.BYTES);
    for (int i = 0; i < scores.length; i++) {
      bytes[out.length + i] = (byte) scores[i];
    }
    return bytes;
  }

  private void reply(ScoreReply reply) {
    head(reply);
    raw(",\"scores\":[");
    for (int score : reply.scores()) {
      raw(SCORES[score]);
    }
    // The last comma, if there is one, becomes the bracket.
    length -= reply.scores().length > 0 ? 1 : 0;
    raw("]");
    tail(reply);
  }

  private void head(ScoreReply reply) {
    raw("{\"decision\":");
    text(reply.decision());
  }

  private void tail(ScoreReply reply) {
    raw(",\"policy\":");
    text(reply.policy());
    raw(",\"mode\":");
    text(reply.mode().wireName());
    raw(",\"modelVersion\":");
    raw(Long.toString(reply.modelVersion()));
    raw(",\"basis\":");
    text(reply.basis());
    raw(",\"instance\":");
    text(reply.instance());
    raw(",\"propensity\":");
    raw(Double.toString(reply.propensity()));
    raw(",\"explored\":");
    raw(reply.explored() ? TRUE : FALSE);
    if (reply.gpuCards() != null) {
      raw(",\"gpuCards\":");
      raw(Arrays.deepToString(reply.gpuCards()).replace(" ", ""));
    }
    if (reply.reason() != null) {
      raw(",\"reason\":");
      text(reply.reason());
    }
    raw("}");
  }

  private void text(String value) {
    raw("\"");
    raw(JsonStringEncoder.getInstance().quoteAsUTF8(value));
    raw("\"");
  }

  private void raw(String value) {
    raw(ascii(value));
  }

  private void raw(byte[] bytes) {
    if (length + bytes.length > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + bytes.length));
    }
    System.arraycopy(bytes, 0, buffer, length, bytes.length);
    length += bytes.length;
  }

  private static byte[] ascii(String value) {
    return value.getBytes(StandardCharsets.US_ASCII);
  }
}
