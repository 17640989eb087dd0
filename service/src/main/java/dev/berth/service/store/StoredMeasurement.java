package dev.berth.service.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.scoring.Measured;
import org.jspecify.annotations.Nullable;

/**
 * What the node of a placed pod used over a minute, some minutes later.
 *
 * @param afterSeconds since the decision
 * @param usage CPU of the node as a fraction of it
 * @param without the same less what the pod and those bound after it bring
 * @param error of the forecast: {@code without} less what was expected; null where nothing was, or
 *     where the node is not among the candidates kept
 */
public record StoredMeasurement(
    double afterSeconds, double usage, double without, @Nullable Double error) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * @param forecast as {@link StoredTerms#text}
   * @param nodes JSON columns
   * @param node that the pod went to
   */
  static StoredMeasurement of(
      double afterSeconds,
      double usage,
      double without,
      @Nullable String forecast,
      String nodes,
      @Nullable String node) {
    JsonNode expected = expected(forecast, nodes, node);
    return new StoredMeasurement(
        afterSeconds, usage, without, expected.isNumber() ? without - expected.asDouble() : null);
  }

  private static JsonNode expected(@Nullable String forecast, String nodes, @Nullable String node) {
    try {
      JsonNode horizons = JSON.readTree(forecast == null ? "{}" : forecast).path("horizonsSeconds");
      JsonNode columns = JSON.readTree(nodes);
      int row = 0;
      while (row < columns.path("node").size()
          && !columns.path("node").path(row).asText().equals(node)) {
        row++;
      }
      int h = 0;
      while (h < horizons.size() && horizons.path(h).asDouble() != Measured.AFTER_SECONDS) {
        h++;
      }
      return columns.path("expected").path(row).path(h);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a stored decision is damaged: " + e.getOriginalMessage(), e);
    }
  }
}
