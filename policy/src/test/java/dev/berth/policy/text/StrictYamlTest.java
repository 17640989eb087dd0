package dev.berth.policy.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StrictYamlTest {
  private static StrictYaml parse(String text) {
    return StrictYaml.parse(text.getBytes(StandardCharsets.UTF_8), "f.yaml").orElseThrow();
  }

  @Test
  void valuesComeWithTheirLines() {
    StrictYaml y = parse("a: 5s\nb:\n  c: [1, 2]\nd: {e: f}\n");
    assertThat(y.seconds("a", 0)).isEqualTo(5);
    assertThat(y.child("b").list("c", Units::whole)).containsExactly(1, 2);
    assertThat(y.strings("d")).isEqualTo(Map.of("e", "f"));
    assertThat(y.line("d")).isEqualTo(4);
    y.finish();
  }

  @Test
  void aKeyWithoutAValueIsAsGoodAsAbsent() {
    StrictYaml y = parse("a:\nb: ~\nc: \"\"\n");
    assertThat(y.has("a")).isFalse();
    assertThat(y.whole("b", 7)).isEqualTo(7);
    assertThat(y.text("c", "x")).isEmpty();
  }

  @Test
  void nothingIsNothing() {
    assertThat(StrictYaml.parse("# only\n".getBytes(StandardCharsets.UTF_8), "f")).isEmpty();
    assertThat(StrictYaml.parse(new byte[0], "f")).isEmpty();
  }

  @Test
  void whatIsNoMappingOfTextIsNamedByLine() {
    assertThatThrownBy(() -> parse("a: 1\nb: 2\na: 3"))
        .isInstanceOf(TextException.class)
        .hasMessage("f.yaml:3: a: given twice, first in line 1: keep one");
    assertThatThrownBy(() -> parse("- a")).hasMessage("f.yaml:1: need 'key: value' lines here");
    assertThatThrownBy(() -> parse("a: [1")).hasMessageStartingWith("f.yaml:1: not YAML: ");
    assertThatThrownBy(() -> parse("a: \u0000")).hasMessageStartingWith("f.yaml: not YAML: ");
    assertThatThrownBy(() -> parse("a: " + "[".repeat(100) + "]".repeat(100)))
        .isInstanceOf(TextException.class)
        .hasMessageStartingWith("f.yaml: not YAML: Nesting Depth exceeded");
    assertThatThrownBy(() -> StrictYaml.parse(new byte[] {'a', ':', (byte) 0xff}, "f.yaml"))
        .hasMessage("f.yaml: not UTF-8: save it as UTF-8");
    assertThatThrownBy(() -> parse("a: 1").finish()).hasMessageContaining("a: unknown key");
  }
}
