package dev.berth.workbench.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MetricsPageTest {
  private static final MetricsPage PAGE =
      MetricsPage.parse(
          """
          # HELP placements_total Bound pods.
          # TYPE placements_total counter
          placements_total{decided_by="service",zone="a"} 30
          placements_total{decided_by="service",zone="b"} 20
          placements_total{decided_by="fallback"} 2
          up 1
          wait_bucket{result="ok",le="0.001"} 50
          wait_bucket{result="ok",le="0.002"} 90
          wait_bucket{result="ok",le="+Inf"} 100
          """);

  @Test
  void sumsTheSeriesOfAName() {
    assertThat(PAGE.sum("placements_total")).isEqualTo(52);
    assertThat(PAGE.value("placements_total", "decided_by", "service")).isEqualTo(50);
    assertThat(PAGE.value("placements_total", "decided_by", "single")).isZero();
    assertThat(PAGE.sum("absent")).isNaN();
  }

  @Test
  void interpolatesQuantilesAsPromqlDoes() {
    assertThat(PAGE.quantile("wait", 0.5)).isCloseTo(0.001, within(1e-12));
    assertThat(PAGE.quantile("wait", 0.7)).isCloseTo(0.0015, within(1e-12));
    assertThat(PAGE.quantile("wait", 0.99)).isEqualTo(0.002); // the last finite bound
    assertThat(PAGE.quantile("absent", 0.5)).isNaN();
  }

  @Test
  void refusesToTrustACertificateFromElsewhere() {
    assertThatThrownBy(() -> MetricsPage.read("https://example.test/metrics"))
        .hasMessageContaining("not on loopback");
  }
}
