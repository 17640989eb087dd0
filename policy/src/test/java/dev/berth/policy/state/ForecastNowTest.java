package dev.berth.policy.state;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Given;
import dev.berth.policy.cluster.Candidates;
import org.junit.jupiter.api.Test;

/** One pod has run for long; more are bound from 600 s on. */
class ForecastNowTest {
  private static final double[] NOW = {0};

  private final Candidates nodes = nodes(1, 64_000);
  private final ClusterState state = Given.state();

  private ClusterState released() {
    state.deciding(nodes, 0);
    state.podBound(pod("old", "web", 8000), "node-0", 0);
    state.sample(cpu("node-0", 570, 600, 6), 600);
    nodes.cpuRequestedMilli()[0] = 8000;
    return state;
  }

  @Test
  void a_pod_that_was_just_bound_uses_little_yet_and_all_of_it_once_it_has_started() {
    released();
    double before = state.expectedCpu("node-0", 600, 10);
    double ratio = state.expectedPodCpu(pod("p", "web", 1000), 600, NOW, new double[1])[0];
    state.podBound(pod("a", "web", 4000), "node-0", 600);
    assertThat(state.expectedCpu("node-0", 600, 10))
        .as("a third of the ramp of 30 s, half of that in the mean")
        .isCloseTo(before + 4 * ratio / 6, within(1e-6));
    assertThat(state.expectedCpu("node-0", 600, 30))
        .isCloseTo(before + 4 * ratio / 2, within(1e-6));
    state.podBound(pod("b", "web", 4000), "node-0", 610);
    assertThat(state.expectedCpu("node-0", 640, 30)).isCloseTo(before + 8 * ratio, within(0.4));
  }

  @Test
  void a_decision_counts_it_at_once_or_a_burst_would_herd() {
    released();
    double before = state.expectedCpu(nodes, 600, NOW)[0][0];
    double ratio = state.expectedPodCpu(pod("p", "web", 1000), 600, NOW, new double[1])[0];
    state.podBound(pod("a", "web", 4000), "node-0", 600);
    nodes.cpuRequestedMilli()[0] += 4000;
    assertThat(state.expectedCpu(nodes, 600, NOW)[0][0])
        .isCloseTo(before + 4 * ratio, within(1e-6));
  }
}
