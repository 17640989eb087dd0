package dev.berth.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class SummaryTest {

  @Test
  void the_interval_is_students_t() {
    // Mean 3, sample standard deviation sqrt(2.5), t(4) = 2.776.
    Summary s = Summary.of(new double[] {1, 2, 3, 4, 5});
    assertThat(s.mean()).isEqualTo(3);
    assertThat(s.halfWidth()).isCloseTo(2.776 * Math.sqrt(2.5 / 5), within(1e-9));
    assertThat(Summary.of(new double[] {7}).halfWidth()).isNaN();
  }

  @Test
  void beyond_the_table_the_quantile_goes_on_smoothly() {
    double[] values = new double[61];
    for (int i = 0; i < values.length; i++) {
      values[i] = i % 2;
    }
    Summary s = Summary.of(values);
    double error = Math.sqrt(s.mean() * (1 - s.mean()) * 61 / 60 / 61);
    assertThat(s.halfWidth() / error).isCloseTo(2.0003, within(0.002)); // t(60)
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
}
