package dev.berth.policy.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictJsonTest {
  record Point(long x, String name, List<Double> tail, @JsonProperty(required = false) Double y) {}

  private static Point read(String json) {
    return StrictJson.read(json.getBytes(StandardCharsets.UTF_8), Point.class, "p.json");
  }

  @Test
  void whatIsWrittenReadsBackAndWhatMayLackDoes() {
    Point point = new Point(1, "a", List.of(0.5), 2.0);
    assertThat(read(new String(StrictJson.compact(point), StandardCharsets.UTF_8)))
        .isEqualTo(point);
    assertThat(read(new String(StrictJson.readable(point), StandardCharsets.UTF_8)))
        .isEqualTo(point);
    assertThat(read("{'x': 1, 'name': 'a', 'tail': []}".replace('\'', '"')).y()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'x': 1, 'name': 'a', 'tail': [], 'z': 1} | p.json:1: z: Unrecognized field",
        "{'x': 1, 'tail': []} | p.json:1: name: Missing required creator property 'name'",
        "{'x': 1, 'x': 2, 'name': 'a', 'tail': []} | p.json:1: Duplicate field 'x'",
        "{'x': null, 'name': 'a', 'tail': []} | p.json:1: x: ",
        "{'x': '1', 'name': 'a', 'tail': []} | p.json:1: x: ",
        "{'x': 1.5, 'name': 'a', 'tail': []} | p.json:1: x: ",
        "{'x': 1, 'name': 'a', 'tail': [{}]} | p.json:1: tail.[0]: ",
        "{'x': 1, 'name': 'a', 'tail': []} {} | p.json:1: Trailing token",
        "{'x': 1 | p.json:1: ",
        "null | p.json: null, need an object",
        "~~ | p.json:1: ",
      })
  void whatIsNoneIsNamedByPlaceAndField(String json, String message) {
    assertThatThrownBy(() -> read(json.replace('\'', '"')))
        .isInstanceOf(TextException.class)
        .hasMessageStartingWith(message);
  }
}
