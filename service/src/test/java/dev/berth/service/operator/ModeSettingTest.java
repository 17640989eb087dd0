package dev.berth.service.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class ModeSettingTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What the command writes the plugin must read the same way: its tests read the file, too. */
  @TestFactory
  List<DynamicTest> theSharedExamplesOfModes() throws Exception {
    Path file = Path.of(System.getProperty("berth.root"), "api/examples/modes.json");
    List<DynamicTest> tests = new ArrayList<>();
    for (JsonNode example : JSON.readTree(file.toFile())) {
      Map<String, String> data =
          JSON.convertValue(example.get("data"), new TypeReference<Map<String, String>>() {});
      tests.add(DynamicTest.dynamicTest(data.toString(), () -> holds(data, example)));
    }
    assertThat(tests).hasSizeGreaterThan(10);
    return tests;
  }

  /** Written out, this clip would be a thousand million characters long. */
  @Test
  void aClipOfMoreDecimalsThanAnybodyMeansIsRefused() {
    assertThatThrownBy(() -> ModeSetting.of(Map.of("mode", "active", "clip", "1e-999999999")))
        .hasMessageContaining("clip is \"1E-999999999\"")
        .hasMessageContaining("of 9 decimals at most");
    assertThat(ModeSetting.of(Map.of("mode", "active", "clip", "0.000000001")))
        .hasToString("active; clip at most 0.000000001");
  }

  /** Written all the same, every scheduler would refuse it and keep the mode before. */
  @Test
  void whatEverySchedulerWouldRefuseForItsLengthIsRefused() {
    String selector = "a,".repeat(511) + "a";
    ModeSetting.of(Map.of("mode", "canary", "percent", "5", "selector", selector));
    String values = "a in (" + "b,".repeat(500) + "b)";
    ModeSetting.of(Map.of("mode", "canary", "percent", "5", "selector", values));
    assertThatThrownBy(
            () ->
                ModeSetting.of(
                    Map.of("mode", "canary", "percent", "5", "selector", selector + ",a")))
        .hasMessageContaining("length of the selector is \"1025\"");
    assertThatThrownBy(
            () -> ModeSetting.of(Map.of("mode", "canary", "namespaces", "web,".repeat(1001))))
        .hasMessageContaining("number of namespaces is \"1001\"");
  }

  private static void holds(Map<String, String> data, JsonNode example) {
    if (example.has("says")) {
      ModeSetting setting = ModeSetting.of(data);
      assertThat(setting).hasToString(example.get("says").asText());
      assertThat(ModeSetting.of(setting.data())).isEqualTo(setting);
    }
    for (JsonNode fragment : example.path("refused")) {
      assertThatThrownBy(() -> ModeSetting.of(data)).hasMessageContaining(fragment.asText());
    }
  }
}
