package dev.berth.policy.state;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/** Four nodes run three owners in different mixtures; only the nodes' totals are ever shown. */
class OwnerLearningTest {
  private static final int NODES = 4;
  private static final double DAY = 7200;
  private static final double[][] CORES = {{8, 2, 1}, {1, 6, 2}, {2, 1, 9}, {4, 4, 4}};
  private static final double[] RATIO = {0.3, 0.7, 1.1};

  private final Candidates nodes = nodes(NODES, 64_000);

  /** Shows samples every 30 s; owner 0 follows a daily profile on top of its ratio. */
  private ClusterState watched(
      UsageConfig config, double seconds, DoubleUnaryOperator daily, long seed) {
    ClusterState state = new ClusterState(config);
    SplittableRandom random = new SplittableRandom(seed);
    state.deciding(nodes, 0);
    for (int n = 0; n < NODES; n++) {
      for (int o = 0; o < RATIO.length; o++) {
        state.podBound(
            pod("pod-" + n + "-" + o, "owner-" + o, Math.round(1000 * CORES[n][o])),
            "node-" + n,
            0);
        nodes.cpuRequestedMilli()[n] = Math.round(1000 * (CORES[n][0] + CORES[n][1] + CORES[n][2]));
      }
    }
    for (double t = 60; t < seconds; t += 30) {
      for (int n = 0; n < NODES; n++) {
        double y = 1.28;
        for (int o = 0; o < RATIO.length; o++) {
          double factor = o == 0 ? daily.applyAsDouble(t - 15) : 1;
          y += CORES[n][o] * RATIO[o] * factor * (1 + 0.05 * random.nextGaussian());
        }
        state.sample(cpu("node-" + n, t - 30, t, y), t + 10);
      }
    }
    return state;
  }

  @Test
  void owner_ratios_are_learned_from_node_samples_alone_seed_1() {
    ClusterState state = watched(UsageConfig.DEFAULT, 28_800, t -> 1, 1);
    for (int o = 0; o < RATIO.length; o++) {
      assertThat(state.ownerRatio("owner-" + o)).isCloseTo(RATIO[o], within(0.15));
    }
    // Who was never seen is expected to be like the others.
    assertThat(state.ownerRatio("stranger")).isBetween(0.5, 0.8);
  }

  /** A rate over 20 s that is asked for every 5 s tells the same four times over. */
  @Test
  void overlapping_windows_teach_no_more_than_those_without_overlap_seed_3() {
    ClusterState apart = oneNode();
    ClusterState overlapping = oneNode();
    SplittableRandom random = new SplittableRandom(3);
    double[] used = new double[241]; // cores in five seconds each, bursts of a minute among them
    for (int i = 1; i < used.length; i++) {
      used[i] = 4 + (i / 12 % 4 == 3 ? 3 : 0) + 0.1 * random.nextGaussian();
    }
    for (int end = 4; end < used.length; end++) {
      double mean = (used[end] + used[end - 1] + used[end - 2] + used[end - 3]) / 4;
      NodeSample sample = cpu("node-0", 5 * (end - 4), 5 * end, mean);
      overlapping.sample(sample, 5 * end);
      if (end % 4 == 0) {
        apart.sample(sample, 5 * end);
      }
      assertThat(overlapping.ownerRatio("owner")).isEqualTo(apart.ownerRatio("owner"));
    }
  }

  private ClusterState oneNode() {
    ClusterState state = new ClusterState(UsageConfig.DEFAULT);
    state.deciding(nodes, 0);
    state.podBound(pod("pod", "owner", 10_000), "node-0", -60);
    return state;
  }

  @Test
  void without_owner_ratios_nothing_is_learned_of_them_seed_1() {
    UsageConfig config = UsageConfig.DEFAULT.without(Part.OWNER_RATIOS);
    ClusterState state = watched(config, 3600, t -> 1, 1);
    assertThat(state.ownerRatio("owner-0")).isEqualTo(state.ownerRatio("owner-2"));
  }

  @Test
  void the_forecast_follows_the_time_of_day_seed_2() {
    DoubleUnaryOperator daily = t -> 1 + 0.5 * Math.sin(2 * Math.PI * t / DAY);
    UsageConfig config = UsageConfig.DEFAULT.withDaySeconds(DAY);
    double end = 4 * DAY;
    double[] quarters = {DAY / 4, 3 * DAY / 4};
    ClusterState state = watched(config, end, daily, 2);
    double[][] ahead = state.expectedCpu(nodes, end, quarters);
    double swing = 2 * 0.5 * RATIO[0] * CORES[0][0];
    double forecast = ahead[0][0] - ahead[1][0];
    assertThat(forecast).isCloseTo(swing, within(0.15 * swing));
    ClusterState flat = watched(config.without(Part.TIME_OF_DAY), end, daily, 2);
    double[][] without = flat.expectedCpu(nodes, end, quarters);
    assertThat(without[0][0] - without[1][0]).isCloseTo(0, within(0.1 * swing));
  }

  @Test
  void owners_whose_pods_end_soon_are_expected_to_leave() {
    ClusterState state = new ClusterState(UsageConfig.DEFAULT);
    for (int i = 0; i < 40; i++) {
      state.podBound(pod("job-" + i, "job", 1000), "node-0", 100 * i);
      state.podGone("job-" + i, 100 * i + 100);
      state.podBound(pod("web-" + i, "web", 1000), "node-1", 100 * i);
    }
    double[] now = {0, 600};
    double[] job = new double[2];
    double[] web = new double[2];
    state.expectedPodCpu(pod("j", "job", 1000), 4000, now, job);
    state.expectedPodCpu(pod("w", "web", 1000), 4000, now, web);
    // A mean life of 100 s: exp(-6) survive ten minutes; the prior, half of whose pods stay, lifts
    // that.
    assertThat(job[1]).isLessThan(0.15);
    assertThat(web[1]).isGreaterThan(0.9);
    assertThat(job[0]).isEqualTo(1);
  }

  @Test
  void what_is_learned_makes_an_owner_less_uncertain_and_bursts_keep_it_from_being_certain() {
    double[] horizons = {0, 3000};
    ClusterState state = watched(UsageConfig.DEFAULT, 3600, t -> 1, 3);
    double[] known = state.ownerVariance("owner-0", 3600, horizons);
    double[] stranger = state.ownerVariance("stranger", 3600, horizons);
    assertThat(known[0]).isLessThan(known[1]);
    assertThat(known[1]).isLessThan(stranger[1]);
    assertThat(known[0]).isPositive();
  }

  @Test
  void what_one_node_says_of_an_owner_tells_of_its_neighbours_elsewhere_unless_kept_apart() {
    assertThat(moveOfTheNeighbour(UsageConfig.DEFAULT)).isLessThan(-0.05);
    assertThat(moveOfTheNeighbour(UsageConfig.DEFAULT.without(Part.JOINT))).isZero();
  }

  /** Node 0 runs a and b, so shows their sum alone; then node 1 shows that a is the busy one. */
  private double moveOfTheNeighbour(UsageConfig config) {
    ClusterState state = new ClusterState(config);
    state.deciding(nodes, 0);
    state.podBound(pod("a-0", "a", 10_000), "node-0", 0);
    state.podBound(pod("b-0", "b", 10_000), "node-0", 0);
    state.podBound(pod("a-1", "a", 10_000), "node-1", 0);
    state.sample(cpu("node-0", 60, 90, 12), 100);
    double before = state.ownerRatio("b");
    state.sample(cpu("node-1", 60, 90, 10), 100);
    return state.ownerRatio("b") - before;
  }

  @Test
  void an_owner_is_remembered_over_a_day_without_pods_and_forgotten_after_two() {
    double end = 3600;
    double day = 86_400;
    ClusterState state = watched(UsageConfig.DEFAULT, end, t -> 1, 1);
    for (int n = 0; n < NODES; n++) {
      state.podGone("pod-" + n + "-0", end);
    }
    state.podBound(pod("next", "owner-1", 1000), "node-0", end + day);
    assertThat(state.owners()).hasSize(3);
    state.podBound(pod("last", "owner-1", 1000), "node-0", end + 2 * day + 1);
    assertThat(state.owners()).containsOnlyKeys("owner-1", "owner-2"); // whose pods still run
  }

  @Test
  void one_broken_sample_does_not_teach_seed_1() {
    ClusterState state = watched(UsageConfig.DEFAULT, 3600, t -> 1, 1);
    double before = state.ownerRatio("owner-0");
    state.sample(cpu("node-0", 3600, 3630, 60), 3640);
    assertThat(state.ownerRatio("owner-0")).isCloseTo(before, within(0.1));
  }

  /** A node's own work of some seconds is all that the sample shows; the pod was hardly there. */
  @Test
  void a_pod_that_a_window_hardly_saw_is_not_blamed_for_all_of_it() {
    for (double seen : new double[] {0.1, 1, 3}) {
      ClusterState state = new ClusterState(UsageConfig.DEFAULT);
      state.deciding(nodes, 0);
      state.sample(cpu("node-0", 0, 30, 1.28), 31);
      state.podBound(pod("p", "web", 1000), "node-0", 60 - seen);
      state.sample(cpu("node-0", 30, 60, 20), 61);
      double[] cores =
          state.expectedPodCpu(pod("q", "web", 1000), 62, new double[1], new double[1]);
      assertThat(cores[0]).as("cores of a pod that requests one").isBetween(0.0, 5.0);
      assertThat(state.expectedCpu("node-0", 62, 30)).as("cores of 64").isBetween(0.0, 25.0);
    }
  }

  @Test
  void a_burst_is_known_from_its_first_samples_and_told_to_its_owner_seed_3() {
    double begins = 7200;
    ClusterState state = watched(UsageConfig.DEFAULT, begins + 61, t -> t < begins ? 1 : 2.5, 3);
    double now = begins + 61;
    double[][] soon = state.expectedCpu(nodes, now, new double[] {0, 3000});
    for (int n = 0; n < NODES; n++) {
      double calm = 1.28 + CORES[n][1] * RATIO[1] + CORES[n][2] * RATIO[2];
      double burst = 1.5 * CORES[n][0] * RATIO[0];
      assertThat(soon[0][n] - calm - CORES[n][0] * RATIO[0])
          .as("excess now on node " + n)
          .isCloseTo(burst, within(0.3 * burst + 0.3));
    }
    assertThat(soon[1][0]).as("most of it will have passed").isLessThan(0.75 * soon[0][0]);
  }

  @Test
  void who_never_bursts_is_hedged_less_than_who_does_seed_4() {
    ClusterState state = watched(UsageConfig.DEFAULT, 14_400, t -> t % 1800 < 180 ? 2.5 : 1, 4);
    double[] ahead = {900};
    double bursty = state.ownerVariance("owner-0", 14_400, ahead)[0] / (RATIO[0] * RATIO[0]);
    double calm = state.ownerVariance("owner-2", 14_400, ahead)[0] / (RATIO[2] * RATIO[2]);
    assertThat(bursty).isGreaterThan(3 * calm);
  }
}
