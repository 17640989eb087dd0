package dev.berth.policy.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "250m, 250",
    "1, 1000",
    "0.5, 500",
    ".5, 500",
    "2., 2000",
    "1k, 1000000",
    "1e3, 1000000",
    "100u, 1",
    "1n, 1",
    "0, 0",
    "1.0005, 1001"
  })
  void cpuIsMilliCoresRoundedUp(String text, long milli) {
    assertThat(Quantity.milliCores(text)).isEqualTo(milli);
  }

  @ParameterizedTest
  @CsvSource({
    "2Gi, 2147483648", "512Mi, 536870912", "1.5Ki, 1536", "1000000, 1000000", "1M, 1000000",
    "128974848000m, 128974848", "7Ei, 8070450532247928832", "0.5, 1", "1E2, 100",
        "1E, 1000000000000000000"
  })
  void memoryIsBytesRoundedUp(String text, long bytes) {
    assertThat(Quantity.bytes(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "m",
        "Gi",
        "-1",
        "+1",
        "1 Gi",
        "2GB",
        "1gi",
        "1K",
        "1e",
        "0x10",
        "1d",
        "NaN",
        "1..2",
        "9Ei",
        "1e99",
        "1e999",
        "1Gi1",
        "١",
        "9999999999999999999999999999999999999"
      })
  void whatIsNoneIsNamedWithTheFix(String text) {
    assertThatThrownBy(() -> Quantity.bytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("'" + text + "' is not a Kubernetes quantity: write 512Mi or 2Gi");
    assertThatThrownBy(() -> Quantity.milliCores(text))
        .hasMessageEndingWith("is not a Kubernetes quantity: write 500m, 0.5 or 2");
  }

  @Test
  void whatIsWrittenReadsBack() {
    for (long value : new long[] {0, 1, 1023, 1024, 3 << 20, 1L << 40, Long.MAX_VALUE, 7L << 60}) {
      assertThat(Quantity.bytes(Quantity.ofBytes(value))).isEqualTo(value);
    }
    assertThat(Quantity.ofBytes(2L << 30)).isEqualTo("2Gi");
    assertThat(Quantity.milliCores(Quantity.ofMilliCores(250))).isEqualTo(250);
  }
}
