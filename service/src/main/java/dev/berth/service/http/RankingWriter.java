package dev.berth.service.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import dev.berth.service.scoring.NodeRanking;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;

/**
 * Writes the reply of {@code POST /v1/rank}: length of the JSON part, this, then the preferences
 * and the drops as doubles, little-endian as the question's columns.
 */
final class RankingWriter {
  private RankingWriter() {}

  static byte[] write(NodeRanking ranking) {
    byte[] head;
    try {
      head =
          Json.COMPACT.writeValueAsBytes(
              Map.of("decision", ranking.decision(), "instance", ranking.instance()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
    int doubles = ranking.preferences().length + ranking.drops().length;
    ByteBuffer out =
        ByteBuffer.allocate(Integer.BYTES + head.length + Double.BYTES * doubles)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(head.length)
            .put(head);
    for (double[] column : new double[][] {ranking.preferences(), ranking.drops()}) {
      for (double value : column) {
        out.putDouble(value);
      }
    }
    return out.array();
  }
}
