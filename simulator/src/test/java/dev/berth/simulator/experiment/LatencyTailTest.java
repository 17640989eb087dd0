package dev.berth.simulator.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;

class LatencyTailTest {
  @Test
  void on_one_node_p99_is_the_mean_times_the_logarithm_of_a_hundred() {
    LatencyTail tail = new LatencyTail();
    tail.add(8, 3);
    assertThat(tail.quantile(0.99)).isCloseTo(8 * Math.log(100), withinPercentage(1));
    assertThat(tail.quantile(0.5)).isCloseTo(8 * Math.log(2), withinPercentage(1));
  }

  @Test
  void a_slow_twentieth_of_all_requests_makes_the_p99_and_leaves_the_median() {
    LatencyTail tail = new LatencyTail();
    tail.add(4, 95);
    tail.add(80, 5);
    // Of the slow ones a fifth is above 80 ln 5 = 129 ms; of the fast ones none.
    assertThat(tail.quantile(0.99)).isCloseTo(80 * Math.log(5), withinPercentage(1));
    assertThat(tail.quantile(0.5)).isLessThan(4);
  }

  @Test
  void without_requests_nothing_is_slow() {
    assertThat(new LatencyTail().quantile(0.99)).isZero();
  }
}
