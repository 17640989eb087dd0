package dev.berth.simulator.statistics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SummaryTest {

  @Test
  void the_interval_is_students_t() {
    // Mean 3, sample standard deviation sqrt(2.5), t(4) = 2.776445105.
    Summary s = Summary.of(new double[] {1, 2, 3, 4, 5});
    assertThat(s.mean()).isEqualTo(3);
    assertThat(s.standardDeviation()).isCloseTo(Math.sqrt(2.5), within(1e-12));
    assertThat(s.halfWidth()).isCloseTo(2.776445105 * Math.sqrt(2.5 / 5), within(1e-9));
    assertThat(Summary.of(new double[] {7}).halfWidth()).isNaN();
  }

  /** 97.5 % quantiles as published (NIST/SEMATECH e-Handbook, 1.3.6.7.2). */
  @ParameterizedTest(name = "{0} degrees of freedom: {1}")
  @CsvSource({"1,12.706", "9,2.262", "30,2.042", "31,2.040", "40,2.021", "60,2.000", "100,1.984"})
  void the_quantile_is_right_for_few_seeds_and_for_many(int degrees, double published) {
    double[] values = new double[degrees + 1];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 2;
    }
    Summary s = Summary.of(values);
    double standardError = s.standardDeviation() / Math.sqrt(values.length);
    assertThat(s.halfWidth() / standardError).isCloseTo(published, within(5e-4));
  }

  @Test
  void pairing_finds_what_seeds_hide() {
    double[] a = {10, 20, 30, 40};
    double[] b = {11, 21.1, 31, 41.1};
    assertThat(Summary.paired(a, b).clearlyBelowZero()).isTrue();
    assertThat(Summary.paired(b, a).clearlyAboveZero()).isTrue();
    assertThat(Summary.of(a).mean() + Summary.of(a).halfWidth())
        .as("unpaired, the intervals overlap widely")
        .isGreaterThan(Summary.of(b).mean());
  }

  @Test
  void a_single_seed_is_never_clear() {
    Summary s = Summary.paired(new double[] {1}, new double[] {2});
    assertThat(s.clearlyBelowZero() || s.clearlyAboveZero()).isFalse();
  }

  @Test
  void aDifferenceOfOneSeedHasNoInterval() {
    assertThat(Summary.of(new double[] {1.5}).signed()).isEqualTo("+1.50");
    assertThat(Summary.of(new double[] {-1, -1, -1}).signed()).isEqualTo("-1.00 ±0.00");
  }
}
