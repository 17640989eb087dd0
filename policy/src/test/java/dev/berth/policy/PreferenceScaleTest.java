package dev.berth.policy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PreferenceScaleTest {
  private static final double NAN = Double.NaN;

  @Test
  void theBestGetsHundredAndTheWorstNothing() {
    assertThat(scale(-3, -1, -2)).containsExactly(0, 100, 50);
  }

  @Test
  void all_zero_scores_no_div0() {
    assertThat(scale(0, 0, 0)).containsExactly(50, 50, 50);
    assertThat(scale(7)).containsExactly(50);
  }

  @Test
  void missing_is_not_best() {
    assertThat(scale(0, NAN, 1, 1)).containsExactly(0, 67, 100, 100);
    assertThat(scale(0, Double.POSITIVE_INFINITY, 1)).containsExactly(0, 50, 100);
    assertThat(scale(NAN, NAN)).containsExactly(50, 50);
  }

  @Test
  void roundingDoesNotHideTheChoice() {
    assertThat(scale(-1e6, 0.99999, 1)).containsExactly(0, 99, 100);
  }

  @Test
  void roundingMakesNoChoice() {
    assertThat(scale(0.3, 0.1 + 0.2, 0.3)).containsExactly(50, 50, 50);
    assertThat(scale(0.3, 0.1 + 0.2, 0.2)).containsExactly(100, 100, 0);
    assertThat(scale(3e9, 3e9 + 1e-6, 1e9)).containsExactly(100, 100, 0);
    assertThat(scale(0.3 - 1e-8, 0.3)).containsExactly(0, 100); // small, but somebody's choice
  }

  @Test
  void hugePreferencesDoNotOverflow() {
    assertThat(scale(-Double.MAX_VALUE, Double.MAX_VALUE)).containsExactly(50, 50);
  }

  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void node_order_does_not_matter(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] forward = random.doubles(50, -10, 10).toArray();
    forward[0] = 10; // the best is first, then last
    double[] backward = new double[50];
    Arrays.setAll(backward, i -> forward[49 - i]);
    int[] a = scale(forward);
    int[] b = scale(backward);
    for (int i = 0; i < 50; i++) {
      assertThat(b[49 - i]).isEqualTo(a[i]).isBetween(0, 100);
    }
  }

  /** The plugin's test reads the same file: it scales a ranking by itself. */
  @ParameterizedTest
  @MethodSource("examples")
  void preferencesAreScaledAsInTheSharedExamples(JsonNode e) {
    double[] preferences =
        StreamSupport.stream(e.get("preferences").spliterator(), false)
            .mapToDouble(p -> p.isNull() ? NAN : p.asDouble())
            .toArray();
    int[] scores =
        StreamSupport.stream(e.get("scores").spliterator(), false)
            .mapToInt(JsonNode::asInt)
            .toArray();
    assertThat(scale(preferences)).as(e.get("example").asText()).containsExactly(scores);
  }

  static Stream<JsonNode> examples() throws IOException {
    Path file = Path.of(System.getProperty("berth.root"), "api/examples/scale.json");
    return StreamSupport.stream(
        new ObjectMapper().readTree(Files.readString(file)).spliterator(), false);
  }

  private static int[] scale(double... preferences) {
    int[] scores = new int[preferences.length];
    PreferenceScale.scale(preferences, scores);
    return scores;
  }
}
