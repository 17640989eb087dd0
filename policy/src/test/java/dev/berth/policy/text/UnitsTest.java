package dev.berth.policy.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnitsTest {
  @ParameterizedTest
  @CsvSource({"20ms, 20", "5s, 5000", "1.5h, 5400000", "2 m, 120000", "7d, 604800000", "0.001s, 1"})
  void durationsAreReadAsPeopleWriteThem(String text, long millis) {
    assertThat(Units.duration(text)).isEqualTo(Duration.ofMillis(millis));
    assertThat(Units.seconds(text)).isEqualTo(millis / 1000.0);
    assertThat(Units.duration(Units.show(Units.duration(text)))).isEqualTo(Units.duration(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5", "s", "5 weeks", "1e3s", "NaNs", "0x1p3s", "0.0001s", "-1s", "1d2h"})
  void whatIsNoDurationIsNamedWithTheFix(String text) {
    assertThatThrownBy(() -> Units.duration(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is no duration: write 20ms, 5s, 2m, 1h or 7d");
  }

  @Test
  void nobodyMeansLongerThanACentury() {
    assertThatThrownBy(() -> Units.duration("999999d")).hasMessageContaining("longer than 36500d");
    assertThatThrownBy(() -> Units.duration("999999999999999d"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sizesReadBackAsTheyAreShown() {
    assertThat(Units.bytes("16MiB")).isEqualTo(16 << 20);
    assertThat(Units.showBytes(16 << 20)).isEqualTo("16MiB");
    assertThat(Units.showBytes(1000)).isEqualTo("1000B");
    assertThat(Units.showBytes(0)).isEqualTo("0B");
    assertThatThrownBy(() -> Units.bytes("16MB")).hasMessageContaining("'16MB' is no size");
  }

  @Test
  void numbersAreFiniteAndSharesAreShares() {
    assertThat(Units.share("5 %")).isEqualTo(0.05);
    assertThatThrownBy(() -> Units.share("140%")).hasMessageContaining("'140%' is no share");
    assertThatThrownBy(() -> Units.number("1e999")).hasMessageContaining("not a finite number");
    assertThat(Units.whole("12.0")).isEqualTo(12);
    assertThatThrownBy(() -> Units.whole("1e1000000000")).hasMessageContaining("in range");
    assertThatThrownBy(() -> Units.whole("3000000000"))
        .hasMessage("'3000000000' is not a whole number from -2147483648 to 2147483647");
  }
}
