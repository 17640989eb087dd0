package dev.berth.policy.state;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Six nodes of twelve pods, of three owners by turns; nodes and pods are sampled every minute. */
class PodSamplesTest {
  private static final int NODES = 6;
  private static final int PODS = 12;
  private static final double STEP = 60;
  private static final double OVERHEAD = 1.5;
  private static final double[] NOW = {0};

  private final Candidates nodes = nodes(NODES, 64_000);
  private final SplittableRandom random = new SplittableRandom(1);

  /** What each pod uses in the mean, cores of the two it asks for. */
  private final double[][] level = new double[NODES][PODS];

  private ClusterState state = new ClusterState(UsageConfig.DEFAULT);
  private double now;

  private static String uid(int n, int p) {
    return "pod-" + n + "-" + p;
  }

  /** Pods of an owner lie {@code spread} of their mean apart; slow nodes take more of them all. */
  private void bind(double spread, double[] slowness) {
    state.deciding(nodes, 0);
    for (int n = 0; n < NODES; n++) {
      for (int p = 0; p < PODS; p++) {
        double apart = spread * (p / 3 % 2 == 0 ? 1 : -1);
        level[n][p] = (0.6 + 0.4 * (p % 3)) * (1 + apart) * slowness[n];
        state.podBound(pod(uid(n, p), "owner-" + p % 3, 2000), "node-" + n, -100);
      }
      nodes.cpuRequestedMilli()[n] = 2000 * PODS;
    }
  }

  /** Time passes; pods that are not measured show in their node's sample alone. */
  private void run(double seconds, boolean measured) {
    for (double end = now + seconds; now < end; now += STEP) {
      for (int n = 0; n < NODES; n++) {
        double used = OVERHEAD;
        for (int p = 0; p < PODS; p++) {
          double cores = level[n][p] * (1 + 0.1 * random.nextGaussian());
          used += cores;
          if (measured) {
            state.sample(sample(uid(n, p), now, now + STEP, cores), now + STEP);
          }
        }
        state.sample(cpu("node-" + n, now, now + STEP, used), now + STEP);
      }
    }
  }

  private static PodSample sample(String uid, double from, double to, double cores) {
    return new PodSample(uid, from, to, cores, Double.NaN);
  }

  private static double[] alike() {
    return new double[] {1, 1, 1, 1, 1, 1};
  }

  private double expected(int n) {
    return state.expectedCpu(nodes, now, NOW)[0][n];
  }

  @Test
  void what_is_left_of_a_node_when_the_pods_that_differ_from_their_owner_are_gone_is_known() {
    for (boolean measured : new boolean[] {true, false}) {
      state = new ClusterState(UsageConfig.DEFAULT);
      now = 0;
      bind(0.6, alike());
      run(1800, measured);
      double left = OVERHEAD;
      for (int p = 0; p < PODS; p++) {
        if (p / 3 % 2 == 0) {
          state.podGone(uid(0, p), now); // all that use more than their owner's mean
          nodes.cpuRequestedMilli()[0] -= 2000;
        } else {
          left += level[0][p];
        }
      }
      double error = Math.abs(expected(0) - left) / left;
      assertThat(error).as("measured %s", measured).matches(e -> measured ? e < 0.1 : e > 0.4);
    }
  }

  @Test
  void without_the_part_samples_of_pods_change_nothing() {
    bind(0.6, alike());
    run(600, false);
    double before = expected(0);
    ClusterState seen = state;
    state = new ClusterState(UsageConfig.DEFAULT.without(Part.POD_SAMPLES));
    now = 0;
    random.split();
    bind(0.6, alike());
    for (int n = 0; n < NODES; n++) {
      state.sample(sample(uid(n, 0), 0, 60, 7), 60);
    }
    assertThat(expected(0)).isEqualTo(new PodSamplesTest().fresh().expected(0));
    assertThat(seen.expectedCpu(nodes, 600, NOW)[0][0]).isEqualTo(before);
  }

  private PodSamplesTest fresh() {
    bind(0.6, alike());
    return this;
  }

  @Test
  void when_samples_of_pods_end_those_of_nodes_tell_all_again() {
    bind(0, alike());
    run(1800, true);
    for (double[] node : level) {
      for (int p = 0; p < PODS; p++) {
        node[p] *= 1.5;
      }
    }
    run(3600, false);
    double truth = OVERHEAD;
    for (double cores : level[0]) {
      truth += cores;
    }
    assertThat(expected(0)).isCloseTo(truth, within(0.08 * truth));
  }

  @Test
  void pods_and_nodes_may_be_scraped_at_times_of_their_own() {
    bind(0.6, alike());
    run(1800, true);
    double before = expected(0);
    double ratio = state.ownerRatio("owner-0");
    for (int quarter = 0; quarter < 4; quarter++) { // nodes every 15 s, pods every minute
      double end = now + 15;
      state.sample(cpu("node-0", now, end, before), end);
      now = end;
    }
    assertThat(state.power(nodes)).isEqualTo(nodes.cpuMilli());
    assertThat(state.ownerRatio("owner-0")).isEqualTo(ratio); // the pods' own samples tell it
  }

  @Test
  void pods_that_differ_do_not_make_a_node_slow_and_a_slow_node_is_found() {
    bind(0.6, alike());
    run(3600, true);
    assertThat(state.power(nodes)).isEqualTo(nodes.cpuMilli());

    state = new ClusterState(UsageConfig.DEFAULT);
    now = 0;
    bind(0.1, new double[] {1.4, 1, 1.4, 1, 1.4, 1});
    run(7200, true);
    long[] power = state.power(nodes);
    for (int n = 0; n < NODES; n += 2) {
      assertThat((double) power[n + 1] / power[n]).as("node %d", n).isCloseTo(1.4, within(0.1));
    }
  }

  @Test
  void a_bad_sample_is_refused_and_one_of_a_pod_nobody_knows_ignored() {
    bind(0, alike());
    double before = expected(0);
    state.sample(sample(uid(0, 0), 0, 60, Double.POSITIVE_INFINITY), 60);
    state.sample(sample(uid(0, 0), 0, 60, -1), 60);
    state.sample(sample(uid(0, 0), 60, 60, 1), 60);
    state.sample(new PodSample(uid(0, 0), 0, 60, 1, -5), 60);
    assertThat(state.refusedSamples()).isEqualTo(4);
    state.sample(sample(uid(0, 0), 0, 60, 1e12), 60); // of a node of 64 cores
    assertThat(state.refusedSamples()).isEqualTo(5);
    state.sample(sample("nobody", 0, 60, 1), 60);
    state.sample(sample(uid(0, 0), 0, 60, Double.NaN), 60);
    assertThat(state.refusedSamples()).isEqualTo(5);
    assertThat(expected(0)).isEqualTo(before);
  }

  @Test
  void overlapping_windows_tell_a_pod_once() {
    bind(0, alike());
    state.sample(sample(uid(0, 0), 0, 60, 2), 60);
    double once = expected(0);
    for (int pull = 1; pull < 11; pull++) {
      state.sample(sample(uid(0, 0), 5 * pull, 60 + 5 * pull, 2), 60 + 5 * pull);
    }
    assertThat(expected(0)).isEqualTo(once);
    state.sample(sample(uid(0, 0), 60, 120, 2), 120);
    assertThat(expected(0)).isGreaterThan(once);
  }

  @Test
  void what_a_node_at_its_capacity_does_not_give_a_pod_is_not_learned_as_its_need() {
    bind(0, new double[] {5.2, 1, 1, 1, 1, 1}); // 64 cores on node-0
    run(1200, true);
    double before = expected(0);
    state.sample(cpu("node-0", now, now + STEP, 64), now + STEP);
    now += STEP;
    for (int p = 0; p < PODS; p++) {
      state.sample(sample(uid(0, p), now, now + STEP, 0.1), now + STEP);
    }
    assertThat(expected(0)).isGreaterThan(0.95 * before);
  }
}
