package dev.berth.policy.state;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static dev.berth.policy.Given.state;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.usage.UsageConfig;
import org.junit.jupiter.api.Test;

class SamplesTest {
  private final ClusterState state = state();

  @Test
  void a_sample_ages_from_fresh_to_stale_and_the_next_one_makes_it_fresh_again() {
    assertThat(state.state("node-0", 0)).isEqualTo(SampleState.ABSENT);
    state.sample(cpu("node-0", 70, 100, 5), 110);
    assertThat(state.state("node-0", 190)).isEqualTo(SampleState.FRESH);
    assertThat(state.state("node-0", 191)).isEqualTo(SampleState.AGING);
    assertThat(state.state("node-0", 401)).isEqualTo(SampleState.STALE);
    state.sample(cpu("node-0", 380, 410, 5), 420);
    assertThat(state.state("node-0", 420)).isEqualTo(SampleState.FRESH);
  }

  @Test
  void nan_rejected() {
    state.sample(cpu("node-0", 0, 30, Double.NaN), 40);
    assertThat(state.state("node-0", 40)).isEqualTo(SampleState.ABSENT);
    assertThat(state.columns(nodes(1, 1000), 40).meanCpu()[0]).isNaN();
    for (double broken : new double[] {Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -1}) {
      state.sample(cpu("node-0", 30, 60, broken), 70);
      state.sample(new NodeSample("node-0", 30, 60, 1, broken, 0, 0), 70);
    }
    state.sample(cpu("node-0", 60, 60, 1), 70);
    assertThat(state.refusedSamples()).isEqualTo(7);
    double[][] expected = state.expectedCpu(nodes(1, 1000), 70, new double[] {0, 300});
    assertThat(expected[0][0]).isFinite();
    assertThat(expected[1][0]).isFinite();
  }

  @Test
  void more_cpu_than_a_node_can_have_is_refused() {
    state.sample(cpu("node-0", 0, 30, 20_000), 40); // of a size that nobody has told
    state.deciding(nodes(1, 4_000), 50);
    state.sample(cpu("node-0", 30, 60, 100), 70);
    assertThat(state.refusedSamples()).isEqualTo(2);
    assertThat(state.state("node-0", 70)).isEqualTo(SampleState.ABSENT);
    state.sample(cpu("node-0", 60, 90, 4.5), 100); // allocatable is less than the machine has
    assertThat(state.state("node-0", 100)).isEqualTo(SampleState.FRESH);
  }

  @Test
  void one_bad_value_keeps_the_rest() {
    state.sample(new NodeSample("node-0", 0, 30, Double.NaN, 7, 3, Double.NaN), 40);
    NodeColumns columns = state.columns(nodes(1, 1000), 40);
    assertThat(columns.cpu()[0]).isNaN();
    assertThat(columns.memory()[0]).isEqualTo(7);
    assertThat(columns.connections()[0]).isEqualTo(3);
  }

  @Test
  void one_failed_cpu_query_does_not_make_a_fresh_node_absent() {
    state.sample(new NodeSample("node-0", 0, 30, 5, 7, 3, 1), 40);
    state.sample(new NodeSample("node-0", 30, 60, Double.NaN, 8, 4, 2), 70);
    NodeColumns columns = state.columns(nodes(1, 64_000), 70);
    assertThat(columns.state()[0]).isEqualTo(SampleState.FRESH);
    assertThat(columns.cpu()[0]).isEqualTo(5);
    assertThat(columns.sampleAge()[0]).as("of the CPU").isEqualTo(40);
    assertThat(columns.memory()[0]).isEqualTo(8);
    assertThat(state.measuredCpuWithout("node-0", 0, 70, 30)).as("its reward").isEqualTo(5);
    assertThat(state.state("node-0", 30 + 301)).isEqualTo(SampleState.STALE);
  }

  @Test
  void query_error_is_not_idle() {
    state.sample(cpu("node-0", 0, 30, 5), 40);
    NodeColumns columns = state.columns(nodes(2, 64_000), 40);
    assertThat(columns.cpu()[1]).isNaN();
    assertThat(columns.sampleAge()[1]).isNaN();
    assertThat(columns.state()[1]).isEqualTo(SampleState.ABSENT);
  }

  @Test
  void an_old_sample_does_not_replace_a_newer_one() {
    state.sample(cpu("node-0", 70, 100, 5), 110);
    state.sample(cpu("node-0", 40, 70, 9), 111);
    assertThat(state.columns(nodes(1, 1000), 111).cpu()[0]).isEqualTo(5);
  }

  @Test
  void mean_and_trend_cover_the_last_five_minutes() {
    for (int i = 0; i <= 20; i++) {
      state.sample(cpu("node-0", 30.0 * i, 30.0 * i + 30, i), 30.0 * i + 40);
    }
    NodeColumns columns = state.columns(nodes(1, 64_000), 640);
    // Windows ending 330..630: the values 10 to 20, one more core every half minute.
    assertThat(columns.meanCpu()[0]).isCloseTo(15, within(1e-9));
    assertThat(columns.trendCpu()[0]).isCloseTo(2, within(1e-9));
  }

  @Test
  void pods_that_nobody_reported_count_by_their_requests() {
    Candidates c = nodes(2, 10_000);
    c.cpuRequestedMilli()[0] = 5000;
    double[] expected = state.expectedCpu(c, 0, new double[] {0})[0];
    // Overhead of 2 % on both, and 5 cores at the prior ratio of 0.6.
    assertThat(expected).containsExactly(3.2, 0.2);
    state.podBound(pod("a", "web", 2000), "node-0", 0);
    assertThat(state.expectedCpu(c, 1, new double[] {0})[0][0]).isCloseTo(3.2, within(1e-9));
  }

  @Test
  void impossible_settings_are_named() {
    assertThatThrownBy(() -> UsageConfig.DEFAULT.withDaySeconds(0))
        .hasMessageContaining("daySeconds must be a positive number of seconds, got 0.0");
    assertThatThrownBy(() -> UsageConfig.DEFAULT.withAges(90, 30))
        .hasMessageContaining("need 0 < agingAfter <= staleAfter");
  }

  @Test
  void a_node_that_left_the_cluster_is_forgotten() {
    state.sample(cpu("gone", 0, 30, 5), 40);
    state.sample(cpu("stays", 0, 30, 5), 40);
    state.sample(cpu("unmeasured", 0, 30, 5), 40);
    state.podBound(pod("a", "web", 2000), "gone", 50);
    state.podBound(pod("b", "web", 2000), "unmeasured", 50);
    state.podGone("a", 60);
    for (double t = 600; t <= 10_800; t += 600) {
      state.sample(cpu("stays", t - 30, t, 5), t + 10);
    }
    assertThat(state.state("gone", 10_810)).isEqualTo(SampleState.ABSENT);
    assertThat(state.state("unmeasured", 10_810)).isEqualTo(SampleState.STALE);
    assertThat(state.knownNodes()).isEqualTo(2);
  }

  @Test
  void an_autoscaler_s_nodes_do_not_fill_the_memory() {
    for (int i = 0; i < 1000; i++) {
      double t = 600.0 * i;
      state.podBound(pod("pod-" + i, "web", 2000), "node-" + i, t);
      state.sample(cpu("node-" + i, t, t + 30, 5), t + 40);
      state.podGone("pod-" + i, t + 300);
    }
    assertThat(state.knownNodes()).isLessThan(20);
  }
}
