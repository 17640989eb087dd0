package dev.berth.service.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.berth.service.scoring.Without;
import org.jspecify.annotations.Nullable;

/** Where the other score plugins would have put a pod, as a column of its outcome. */
final class StoredWithout {
  private static final ObjectMapper JSON = new ObjectMapper();

  private StoredWithout() {}

  static @Nullable String text(@Nullable Without without) {
    try {
      return without == null ? null : JSON.writeValueAsString(without);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a name and three numbers can always be written", e);
    }
  }

  static @Nullable Without of(@Nullable String text) {
    try {
      return text == null ? null : JSON.readValue(text, Without.class);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a stored outcome is damaged: " + e.getOriginalMessage(), e);
    }
  }
}
