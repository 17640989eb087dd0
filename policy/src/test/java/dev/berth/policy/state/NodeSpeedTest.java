package dev.berth.policy.state;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Given;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Six nodes run twelve owners whose pods come and go; on every second node a pod takes 1.6 times
 * the CPU. Only the nodes' totals are ever shown.
 */
class NodeSpeedTest {
  private static final int NODES = 6;
  private static final int OWNERS = 12;
  private static final int PODS = 15;
  private static final double SLOW = 1.6;
  private static final double OVERHEAD = 1.28;
  private static final double MEAN_LIFE = 2400;
  private static final double STEP = 30;
  private static final double[] NOW = {0};

  private final Candidates nodes = nodes(NODES, 64_000);

  private record Running(String uid, int owner, double cores, double end) {}

  /** The cluster as it is, and what is known of it. */
  private final class Watched {
    final ClusterState state;
    final SplittableRandom random;
    final double[] ratio = new double[OWNERS];
    final List<List<Running>> running = new ArrayList<>();
    double now;
    int binds;

    Watched(UsageConfig config, long seed) {
      state = new ClusterState(config);
      random = new SplittableRandom(seed);
      for (int o = 0; o < OWNERS; o++) {
        ratio[o] = 0.2 + random.nextDouble();
      }
      state.deciding(nodes, 0);
      for (int n = 0; n < NODES; n++) {
        running.add(new ArrayList<>());
      }
    }

    NodeColumns columns() {
      return state.columns(nodes, now);
    }

    Watched until(double end) {
      for (; now < end; now += STEP) {
        for (int n = 0; n < NODES; n++) {
          replaceEnded(n);
        }
        for (int n = 0; n < NODES; n++) {
          double used = OVERHEAD;
          for (Running p : running.get(n)) {
            double noise = 1 + 0.15 * random.nextGaussian();
            used += slowness(n) * p.cores() * ratio[p.owner()] * noise;
          }
          state.sample(cpu("node-" + n, now + STEP / 2, now + STEP, used), now + STEP);
        }
      }
      for (int n = 0; n < NODES; n++) {
        nodes.cpuRequestedMilli()[n] =
            Math.round(1000 * running.get(n).stream().mapToDouble(Running::cores).sum());
      }
      return this;
    }

    private void replaceEnded(int n) {
      List<Running> here = running.get(n);
      for (Running p : List.copyOf(here)) {
        if (p.end() <= now) {
          here.remove(p);
          state.podGone(p.uid(), now);
        }
      }
      while (here.size() < PODS) {
        double cores = 1 + random.nextInt(3000) / 1000.0;
        double life = -Math.log(random.nextDouble()) * MEAN_LIFE;
        Running p = new Running("pod-" + binds++, random.nextInt(OWNERS), cores, now + life);
        here.add(p);
        bind(p, n, now - (now == 0 ? 100 : 0));
      }
    }

    void bind(Running p, int n, double at) {
      state.podBound(
          pod(p.uid(), "owner-" + p.owner(), Math.round(1000 * p.cores())), "node-" + n, at);
    }

    /** What a pod is expected to take of a node, against what it takes on average. */
    double expectedSlowness(int n) {
      return (double) nodes.cpuMilli()[n] / state.power(nodes)[n];
    }

    /** Mean of expected over true cores of ten more cores of every owner on a node. */
    double expectedOverTrue(int n) {
      double sum = 0;
      for (int o = 0; o < OWNERS; o++) {
        double cores =
            state.expectedPodCpu(pod("new", "owner-" + o, 10_000), now, NOW, new double[1])[0];
        sum += cores * expectedSlowness(n) / (10 * ratio[o] * slowness(n)) / OWNERS;
      }
      return sum;
    }
  }

  private static double slowness(int n) {
    return n % 2 == 0 ? 1 : SLOW;
  }

  @Test
  void slow_nodes_are_told_from_fast_ones_by_samples_alone_seed_1() {
    Watched w = new Watched(UsageConfig.DEFAULT, 1).until(7200);
    for (int n = 0; n < NODES; n += 2) {
      assertThat(w.expectedSlowness(n + 1) / w.expectedSlowness(n))
          .as("node %d against node %d", n + 1, n)
          .isCloseTo(SLOW, within(0.1 * SLOW));
    }
    for (int n = 0; n < NODES; n++) {
      assertThat(w.expectedOverTrue(n)).as("pods on node %d", n).isCloseTo(1, within(0.2));
    }
    Watched equal = new Watched(UsageConfig.DEFAULT.without(Part.NODE_SPEED), 1).until(7200);
    assertThat(equal.state.power(nodes)).isEqualTo(nodes.cpuMilli());
    assertThat(equal.expectedOverTrue(1)).isLessThan(0.85);
  }

  @Test
  void features_tell_how_slow_a_node_is_and_how_it_erred_where_speeds_are_not_known_seed_1() {
    NodeColumns learned = new Watched(UsageConfig.DEFAULT, 1).until(7200).columns();
    NodeColumns equal =
        new Watched(UsageConfig.DEFAULT.without(Part.NODE_SPEED), 1).until(7200).columns();
    for (int n = 0; n < NODES; n++) {
      assertThat(learned.slowness()[n] > 1).as("node %d is slow", n).isEqualTo(n % 2 == 1);
      assertThat(learned.meanError()[n]).as("error on node %d", n).isCloseTo(0, within(0.02));
      assertThat(equal.meanError()[n] > 0)
          .as("node %d uses more than told", n)
          .isEqualTo(n % 2 == 1);
    }
  }

  /** All nodes slower and all owners less busy look the same: nothing may drift that way. */
  @Test
  void the_average_node_stays_the_unit_seed_2() {
    Watched w = new Watched(UsageConfig.DEFAULT, 2).until(8 * 3600);
    double mean = 0;
    for (int n = 0; n < NODES; n++) {
      mean += w.expectedSlowness(n) / NODES;
    }
    assertThat(mean).isCloseTo(1, within(0.01));
    assertThat(w.expectedOverTrue(0)).isCloseTo(1, within(0.2));
  }

  @Test
  void what_an_owner_used_on_a_slow_node_is_not_expected_of_it_on_a_fast_one_seed_1() {
    Watched w = new Watched(UsageConfig.DEFAULT, 1).until(7200);
    double onFast = 0;
    double onSlow = 0;
    for (int k = 0; k < 3; k++) { // several newcomers: one alone hides in the noise of the others
      Running late = new Running("late-" + k, k, 8, Double.POSITIVE_INFINITY);
      w.running.get(2 * k + 1).add(late);
      w.state.podBound(pod(late.uid(), "late-" + k, 8000), "node-" + (2 * k + 1), w.now);
    }
    w.until(w.now + 1800);
    for (int k = 0; k < 3; k++) {
      double cores =
          w.state.expectedPodCpu(pod("n", "late-" + k, 8000), w.now, NOW, new double[1])[0];
      onFast += cores * w.expectedSlowness(0) / (8 * w.ratio[k]) / 3;
      onSlow += cores * w.expectedSlowness(1) / (8 * w.ratio[k]) / 3;
    }
    assertThat(onFast).isCloseTo(1, within(0.2));
    assertThat(onSlow).isCloseTo(SLOW, within(0.25));
  }

  @Test
  void a_pod_is_not_sent_to_a_slow_node_that_uses_as_much_as_a_fast_one_seed_1() {
    Watched w = new Watched(UsageConfig.DEFAULT, 1).until(7200);
    for (double[] load = expected(w); load[0] < load[1]; load = expected(w)) {
      Running more = new Running("more-" + w.binds++, 0, 1, Double.POSITIVE_INFINITY);
      w.bind(more, 0, w.now - 100);
      nodes.cpuRequestedMilli()[0] += 1000;
    }
    double[] score =
        Given.score(PredictThenGreedy.best(), w.now, pod("new", "new", 8000), nodes, w.state);
    assertThat(expected(w)[0]).isGreaterThanOrEqualTo(expected(w)[1]);
    assertThat(score[0]).isGreaterThan(score[1]);
  }

  private double[] expected(Watched w) {
    return w.state.expectedCpu(nodes, w.now, NOW)[0];
  }

  @Test
  void a_node_without_samples_counts_as_an_average_one_and_so_does_another_machine_by_a_name() {
    Watched w = new Watched(UsageConfig.DEFAULT, 1).until(3600);
    Candidates more = Given.nodes(NODES + 1, 64_000);
    w.state.deciding(more, w.now);
    assertThat(w.state.power(more)[NODES]).isEqualTo(64_000);
    assertThat(w.state.power(more)[1]).isLessThan(58_000);
    more.cpuMilli()[1] = 32_000;
    w.state.deciding(more, w.now);
    assertThat(w.state.power(more)[1]).isEqualTo(32_000);
  }

  @Test
  void what_is_in_flight_and_what_later_pods_brought_is_more_on_a_slow_node_seed_1() {
    Watched w = new Watched(UsageConfig.DEFAULT, 1).until(7200);
    long order = w.state.binds();
    for (int n = 0; n < 2; n++) {
      w.bind(new Running("later-" + n, 0, 10, Double.POSITIVE_INFINITY), n, w.now - 600);
    }
    double[] brought = new double[2];
    for (int n = 0; n < 2; n++) {
      String name = "node-" + n;
      brought[n] =
          w.state.measuredCpuWithout(name, Long.MAX_VALUE, w.now, 300)
              - w.state.measuredCpuWithout(name, order, w.now, 300);
      w.bind(new Running("in-flight-" + n, 0, 10, Double.POSITIVE_INFINITY), n, w.now);
    }
    double ratio = w.expectedSlowness(1) / w.expectedSlowness(0);
    assertThat(brought[1] / brought[0]).isCloseTo(ratio, within(1e-4));
    double[] inFlight = w.state.ledgerCpu(nodes, w.now);
    assertThat(inFlight[1] / inFlight[0]).isCloseTo(ratio, within(0.3 * ratio));
  }

  @Test
  void speeds_outlive_a_restart_seed_1() {
    Watched w = new Watched(UsageConfig.DEFAULT, 1).until(7200);
    byte[] file = LearnedState.of(w.state, w.now).encode();
    ClusterState after = new ClusterState(UsageConfig.DEFAULT);
    LearnedState.decode(file).into(after, w.now);
    assertThat(after.power(nodes)).isEqualTo(w.state.power(nodes));
  }

  @Test
  void without_correlations_pods_that_differ_do_not_make_nodes_slow_and_slow_ones_are_found() {
    UsageConfig config = UsageConfig.DEFAULT.without(Part.JOINT);
    Candidates many = nodes(40, 64_000);
    for (double slow : new double[] {1, SLOW}) {
      SplittableRandom random = new SplittableRandom(1);
      ClusterState state = new ClusterState(config);
      state.deciding(many, 0);
      double[] used = new double[40];
      for (int p = 0; p < 40 * PODS; p++) {
        int n = p % 40;
        state.podBound(pod("pod-" + p, "owner-" + random.nextInt(OWNERS), 2000), "node-" + n, -100);
        used[n] += (n % 2 == 0 ? 1 : slow) * 2 * 0.6 * (1 + 0.18 * random.nextGaussian());
      }
      for (double t = 0; t < 7200; t += STEP) {
        for (int n = 0; n < 40; n++) {
          double noise = 0.3 * random.nextGaussian();
          state.sample(cpu("node-" + n, t, t + STEP, OVERHEAD + used[n] + noise), t + STEP);
        }
      }
      long[] power = state.power(many);
      for (int n = 0; n < 40; n += 2) {
        double ratio = (double) power[n] / power[n + 1];
        assertThat(ratio)
            .as("node %d against %d, %s", n + 1, n, slow)
            .isCloseTo(slow, within(slow == 1 ? 1e-9 : 0.25 * slow));
      }
    }
  }
}
