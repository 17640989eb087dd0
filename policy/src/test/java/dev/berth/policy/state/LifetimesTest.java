package dev.berth.policy.state;

import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static dev.berth.policy.Given.state;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How long pods live is learned from those that ended. */
class LifetimesTest {
  private static final double HOUR = 3600;

  private final ClusterState state = state();

  private double survivalOfAnHour(String owner, double now) {
    state.deciding(nodes(1, 32_000), now);
    double[] survival = new double[1];
    state.expectedPodCpu(pod("new", owner, 1000), now, new double[] {HOUR}, survival);
    return survival[0];
  }

  @Test
  void pods_that_end_within_seconds_are_expected_to_do_so_again() {
    for (int i = 0; i < 100; i++) {
      state.podBound(pod("job", "jobs", 1000), "node-0", i);
      state.podGone("job", i + 0.5);
    }
    assertThat(survivalOfAnHour("jobs", 100)).isLessThan(0.01);
  }

  @Test
  void reservations_that_are_taken_back_are_no_ends() {
    for (int i = 0; i < 100; i++) {
      state.podBound(pod("stuck", "web", 1000), "node-0", i);
      state.podTakenBack("stuck", i + 0.5);
    }
    assertThat(survivalOfAnHour("web", 100)).isEqualTo(1);
  }

  @Test
  void a_pod_that_is_reserved_elsewhere_has_not_ended() {
    for (int i = 0; i < 100; i++) {
      state.podBound(pod("tried again", "web", 1000), "node-" + i % 2, i);
    }
    assertThat(survivalOfAnHour("web", 100)).isEqualTo(1);
  }
}
