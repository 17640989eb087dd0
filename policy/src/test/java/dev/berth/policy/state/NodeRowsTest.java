package dev.berth.policy.state;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.cluster.PodSample;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.usage.UsageConfig;
import dev.berth.policy.usage.UsageConfig.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rows are written anew when their node has changed, so what they say hangs on no earlier reader.
 */
class NodeRowsTest {
  private static final int OWNERS = 7;
  private static final double[] HORIZONS = PredictThenGreedy.HORIZONS;

  /** All that a decision reads of some nodes, to the last digit. */
  private static String read(ClusterState state, Candidates c, double now) {
    return String.join(
        "\n",
        Arrays.deepToString(state.expectedCpu(c, now, HORIZONS)),
        Arrays.toString(state.power(c)),
        Arrays.toString(state.ownerCores("owner-1", c)),
        Arrays.toString(state.ownerPods("owner-1", c)),
        Arrays.toString(state.expectedMemory(c, pod("next", "owner-1", 1000)).before()),
        Arrays.toString(state.sampleAges(c, now)),
        Integer.toString(state.measured(c, now)));
  }

  @ParameterizedTest(name = "seed {0}, {1} nodes, events {2} s apart")
  @CsvSource({
    "1, 5, 10",
    "2, 5, 10",
    "3, 12, 10",
    "4, 60, 10",
    "5, 60, 10",
    "6, 5, .1",
    "7, 12, .1"
  })
  void whatIsExpectedIsTheSameWhoeverAskedBefore(long seed, int size, double apart) {
    Candidates all = nodes(size, 32_000);
    List<Consumer<ClusterState>> events = events(new SplittableRandom(seed), size, apart);
    ClusterState asked = new ClusterState(UsageConfig.DEFAULT);
    for (int i = 0; i < events.size(); i++) {
      events.get(i).accept(asked);
      double now = apart * (i + .5);
      Candidates c = i % 3 == 0 ? all.every(2) : all;
      String read = read(asked, c, now);
      if (i % 40 == 39) {
        ClusterState never = new ClusterState(UsageConfig.DEFAULT);
        events.subList(0, i + 1).forEach(event -> event.accept(never));
        assertThat(read).as("after event %d", i).isEqualTo(read(never, c, now));
      }
    }
  }

  /**
   * Correlations move the estimates of all pods, once more when there are too many to keep them.
   */
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
  void whatIsExpectedIsTheSameWhoeverAskedBeforeCorrelationsWereGivenUp(long seed) {
    int size = 2 + (int) seed % 4;
    Candidates all = nodes(size, 32_000);
    List<String> read = new ArrayList<>();
    for (boolean asked : new boolean[] {true, false}) {
      SplittableRandom random = new SplittableRandom(seed);
      ClusterState state = new ClusterState(UsageConfig.DEFAULT);
      state.deciding(all, 0);
      for (int p = 0; p < 2 * size; p++) {
        state.podBound(
            pod("pod-" + p, "owner-" + random.nextInt(2), 8000), "node-" + p % size, -100);
      }
      double now = 0;
      for (int sample = 0; sample < 1 + seed % 5; sample++) {
        now += 30;
        for (int n = 0; n < size; n++) {
          state.sample(cpu("node-" + n, now - 30, now, 8 + 4 * random.nextDouble()), now);
        }
      }
      for (int n = 0; n < 1300; n++) {
        state.sized("more-" + n, 32, now);
      }
      if (asked) {
        read(state, all, now);
      }
      state.sample(cpu("node-0", now, now + 30, 10), now + 30);
      read.add(read(state, all, now + 31));
    }
    assertThat(read.get(0)).isEqualTo(read.get(1));
  }

  /** What no estimate explains passes with time, and of nodes sampled together alike. */
  @Test
  void whatIsExpectedOfNodesSampledTogetherIsTheSameWhoeverAskedBefore() {
    Candidates all = nodes(3, 32_000);
    List<String> read = new ArrayList<>();
    for (boolean asked : new boolean[] {true, false}) {
      ClusterState state = new ClusterState(UsageConfig.DEFAULT);
      state.deciding(all, 0);
      for (int n = 0; n < 3; n++) {
        state.podBound(pod("pod-" + n, "owner-" + n, 8000), "node-" + n, -100);
        state.sample(cpu("node-" + n, 0, 30, 2 + 9 * n), 30);
      }
      if (asked) {
        read(state, all, 31);
      }
      read.add(read(state, all, 331));
    }
    assertThat(read.get(0)).isEqualTo(read.get(1));
  }

  /** Without correlations it is the nodes' effects alone that tell slow nodes from fast ones. */
  @Test
  void howFastNodesAreIsTheSameWhoeverAskedBefore() {
    Candidates all = nodes(8, 32_000);
    ClusterState asked = new ClusterState(UsageConfig.DEFAULT.without(Part.JOINT));
    ClusterState never = new ClusterState(UsageConfig.DEFAULT.without(Part.JOINT));
    for (ClusterState state : List.of(asked, never)) {
      state.deciding(all, 0);
      for (int p = 0; p < 80; p++) {
        state.podBound(pod("pod-" + p, "owner-" + p % OWNERS, 2000), "node-" + p % 8, -100);
      }
      for (double now = 30; now <= 1800; now += 30) {
        for (int n = 0; n < 8; n++) {
          state.sample(cpu("node-" + n, now - 30, now, n % 2 == 0 ? 10 : 20), now);
          if (state == asked) {
            state.power(all);
          }
        }
      }
      state.sample(cpu("node-0", 1800, 1830, 10), 1830); // and every node's effect is another
    }
    long[] power = never.power(all);
    assertThat(asked.power(all)).isEqualTo(power);
    assertThat(power[1]).isLessThan(power[0]);
  }

  private static List<Consumer<ClusterState>> events(
      SplittableRandom random, int size, double apart) {
    List<Consumer<ClusterState>> events = new ArrayList<>();
    List<String> running = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      double now = apart * i;
      double window = 3 * apart;
      String node = "node-" + random.nextInt(size);
      double value = random.nextDouble();
      int draw = random.nextInt(20);
      if (draw < 8) {
        String uid = "pod-" + i;
        running.add(uid);
        Pod placed = pod(uid, "owner-" + random.nextInt(OWNERS), 500 + random.nextInt(3000));
        events.add(state -> state.podBound(placed, node, now));
      } else if (draw < 11 && !running.isEmpty()) {
        String uid = running.remove(random.nextInt(running.size()));
        events.add(state -> state.podGone(uid, now));
      } else if (draw < 15) {
        events.add(state -> state.sample(cpu(node, now - window, now, 1 + 20 * value), now));
      } else if (draw < 16 && !running.isEmpty()) {
        String uid = running.get(random.nextInt(running.size()));
        events.add(state -> state.sample(new PodSample(uid, now - window, now, value, 1e9), now));
      } else if (draw < 17) {
        events.add(
            state ->
                state.sample(
                    new NodeSample(node, now - window, now, Double.NaN, 1e10 * value, 1, 1), now));
      } else if (draw < 18) {
        events.add(state -> state.sized(node, 32, now));
      } else if (draw < 19) {
        Candidates some = nodes(1 + random.nextInt(size), value < 0.3 ? 16_000 : 32_000);
        events.add(state -> state.deciding(some, now));
      } else {
        events.add(state -> state.nodeGone(node));
      }
    }
    return events;
  }
}
