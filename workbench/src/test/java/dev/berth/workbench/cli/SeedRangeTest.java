package dev.berth.workbench.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class SeedRangeTest {
  private static SeedRange read(String text) {
    return new SeedRange.Converter().convert(text);
  }

  @Test
  void seedsComeAsPeopleWriteThem() {
    assertThat(read("1, 5,10-12").seeds()).containsExactly(1L, 5L, 10L, 11L, 12L);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "1-",
        "-1",
        "1,,2",
        "2-1",
        "1-2-3",
        "0-999999999999",
        "9223372036854775800-9223372036854775807",
        "99999999999999999999"
      })
  void whatAreNoneAreRefused(String text) {
    assertThatThrownBy(() -> read(text)).isInstanceOf(TypeConversionException.class);
  }
}
