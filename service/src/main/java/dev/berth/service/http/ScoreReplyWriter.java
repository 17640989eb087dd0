package dev.berth.service.http;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import dev.berth.service.scoring.ScoreReply;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes the reply of {@code POST /v1/score} into one exact byte array. */
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

  private void reply(ScoreReply reply) {
    raw("{\"decision\":");
    text(reply.decision());
    raw(",\"scores\":[");
    for (int score : reply.scores()) {
      raw(SCORES[score]);
    }
    // The last comma, if there is one, becomes the bracket.
    length -= reply.scores().length > 0 ? 1 : 0;
    raw("],\"policy\":");
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
