package dev.berth.simulator.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.simulator.engine.CounterRate.Point;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Figures worked out by hand from Prometheus' rules ({@code extrapolatedRate}), at a scrape
 * interval of 15 s unless said otherwise.
 */
class CounterRateTest {

  /** Time, value, time, value, … */
  private static List<Point> points(double... timeAndValue) {
    List<Point> out = new ArrayList<>();
    for (int i = 0; i < timeAndValue.length; i += 2) {
      out.add(new Point(timeAndValue[i], timeAndValue[i + 1]));
    }
    return out;
  }

  private static double rate(double at, double window, double... timeAndValue) {
    return CounterRate.perSecond(points(timeAndValue), at, window);
  }

  @Test
  void scrapes_near_both_bounds_are_stretched_to_the_whole_window() {
    // (40, 100]: 90 in 45 s between 50 and 95; 10 s and 5 s to the bounds are below 1.1 x 15 s.
    assertThat(rate(100, 60, 35, 470, 50, 500, 65, 530, 80, 560, 95, 590))
        .isCloseTo(90 * (45 + 10 + 5) / 45.0 / 60, within(1e-12))
        .isCloseTo(2, within(1e-12));
  }

  @Test
  void where_the_load_changes_the_stretch_repeats_the_mean_of_what_was_scraped() {
    // Idle until 80, then 4 cores. The true mean over the window is 4 x 20 / 60 = 1.33; the rate
    // knows 60 in 45 s and extrapolates these 1.33 to the window.
    assertThat(rate(100, 60, 50, 500, 65, 500, 80, 500, 95, 560))
        .isCloseTo(60 / 45.0, within(1e-12));
  }

  @Test
  void a_bound_without_a_scrape_near_it_is_stretched_to_by_half_an_interval() {
    // The last two scrapes are lost: 35 s to the end are beyond 16.5 s, so 7.5 s are added.
    assertThat(rate(100, 60, 50, 500, 65, 530))
        .isCloseTo(30 * (15 + 10 + 7.5) / 15 / 60, within(1e-12));
    // The first two are: 40 s to the start.
    assertThat(rate(100, 60, 80, 500, 95, 530))
        .isCloseTo(30 * (15 + 7.5 + 5) / 15 / 60, within(1e-12));
  }

  @Test
  void exactly_eleven_tenths_of_the_mean_interval_are_too_far() {
    // mean interval 10 s, threshold 11 s: 11 s to the end count as 5 s, 10.9 s as they are
    assertThat(rate(61, 30, 40, 100, 50, 110))
        .isCloseTo(10 * (10 + 9 + 5) / 10.0 / 30, within(1e-12));
    assertThat(rate(60.9, 30, 40, 100, 50, 110))
        .isCloseTo(10 * (10 + 9.1 + 10.9) / 10 / 30, within(1e-12));
  }

  @Test
  void the_mean_interval_counts_a_lost_scrape_in_the_middle() {
    // 50, 80, 95: the mean interval is 22.5 s, so 10 and 5 s to the bounds are near.
    assertThat(rate(100, 60, 50, 500, 80, 560, 95, 590))
        .isCloseTo(90 * 60 / 45.0 / 60, within(1e-12));
  }

  @Test
  void a_counter_is_not_extrapolated_to_below_zero() {
    // From 4 to 34 in 15 s: it was zero 2 s before the first scrape, not 10 s.
    assertThat(rate(100, 60, 50, 4, 65, 34, 80, 64, 95, 94))
        .isCloseTo(90 * (45 + 2 + 5) / 45.0 / 60, within(1e-12));
  }

  @Test
  void a_reset_counts_what_came_after_it() {
    // 500, 530, restart, 20, 50: 30 + 20 + 30; what ran between 530 and the restart is lost.
    assertThat(rate(100, 60, 50, 500, 65, 530, 80, 20, 95, 50))
        .isCloseTo(80 * 60 / 45.0 / 60, within(1e-12));
  }

  @Test
  void a_window_is_open_on_the_left_and_closed_on_the_right() {
    // (35, 95]: the scrape at 35 is out, the one at 95 is in.
    assertThat(rate(95, 60, 35, 0, 50, 500, 65, 530, 80, 560, 95, 590, 110, 9999))
        .isCloseTo(90 * (45 + 15) / 45.0 / 60, within(1e-12));
  }

  @Test
  void one_scrape_is_no_rate() {
    assertThat(rate(100, 60, 35, 470, 95, 590)).isNaN();
    assertThat(rate(100, 60)).isNaN();
  }

  @Test
  void a_counter_that_stands_still_has_a_rate_of_zero() {
    assertThat(rate(100, 60, 50, 0, 65, 0, 80, 0)).isZero();
  }
}
