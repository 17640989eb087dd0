package dev.berth.service.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.policy.predict.BaseTerms;
import dev.berth.policy.text.StrictJson;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the base scores of a stored decision are made of, row by row as its {@code nodes}; null in
 * the rows of candidates of which nothing could be said. All are preferences: a base score is the
 * sum of its row over terms and horizons.
 */
public record StoredTerms(
    List<double @Nullable []> balance,
    List<double @Nullable []> overload,
    List<double @Nullable []> hedge,
    List<double @Nullable []> memory) {
  private static final ObjectMapper JSON = new ObjectMapper();

  static String text(BaseTerms.Basis basis) {
    return new String(StrictJson.compact(basis), StandardCharsets.UTF_8);
  }

  /**
   * Works them out from what was kept; null for a decision of which no forecast was.
   *
   * @param forecast as {@link #text}
   * @param nodes JSON columns
   */
  static @Nullable StoredTerms of(@Nullable String forecast, String nodes) {
    if (forecast == null) {
      return null;
    }
    try {
      BaseTerms.Basis basis = JSON.readValue(forecast, BaseTerms.Basis.class);
      JsonNode columns = JSON.readTree(nodes);
      StoredTerms all =
          new StoredTerms(
              new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
      for (int i = 0; i < columns.path("expected").size(); i++) {
        all.add(of(basis, columns, i));
      }
      return all;
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a stored decision is damaged: " + e.getOriginalMessage(), e);
    }
  }

  private static @Nullable BaseTerms of(BaseTerms.Basis basis, JsonNode columns, int row)
      throws JsonProcessingException {
    JsonNode expected = columns.path("expected").path(row);
    return expected.isNull()
        ? null
        : BaseTerms.of(
            basis,
            JSON.treeToValue(expected, double[].class),
            columns.path("powerMilli").path(row).asDouble(),
            columns.path("ownerFraction").path(row).asDouble(),
            columns.path("memoryRisk").path(row).asDouble());
  }

  private void add(@Nullable BaseTerms terms) {
    balance.add(terms == null ? null : terms.balance());
    overload.add(terms == null ? null : terms.overload());
    hedge.add(terms == null ? null : terms.hedge());
    memory.add(terms == null ? null : terms.memory());
  }
}
