package dev.berth.policy.state;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static dev.berth.policy.Given.score;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.predict.PredictThenGreedy;
import dev.berth.policy.usage.UsageConfig;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** What was learned is carried from one process to the next. */
class LearnedStateTest {
  private static final int NODES = 4;
  private static final double END = 3 * 7200;
  private static final double DOWN = 20;
  private static final double[][] CORES = {{8, 2, 1}, {1, 6, 2}, {2, 1, 9}, {4, 4, 4}};
  private static final double[] RATIO = {0.3, 0.7, 1.1};
  private static final UsageConfig CONFIG = UsageConfig.DEFAULT.withDaySeconds(7200);
  private final Candidates nodes = nodes(NODES, 64_000);

  private static void bindAll(ClusterState state) {
    for (int n = 0; n < NODES; n++) {
      for (int o = 0; o < RATIO.length; o++) {
        state.podBound(
            pod("pod-" + n + "-" + o, "owner-" + o, Math.round(1000 * CORES[n][o])),
            "node-" + n,
            0);
      }
    }
  }

  /** One round of samples; owner 0 has a day. */
  private static void sample(ClusterState state, double t, SplittableRandom random) {
    for (int n = 0; n < NODES; n++) {
      double y = 1.28;
      for (int o = 0; o < RATIO.length; o++) {
        double factor = o == 0 ? 1 + 0.5 * Math.sin(2 * Math.PI * t / 7200) : 1;
        y += CORES[n][o] * RATIO[o] * factor * (1 + 0.05 * random.nextGaussian());
      }
      state.sample(cpu("node-" + n, t - 30, t, y), t + 5);
    }
  }

  private ClusterState learned() {
    ClusterState state = new ClusterState(CONFIG);
    state.deciding(nodes, 0);
    bindAll(state);
    for (int n = 0; n < NODES; n++) {
      nodes.cpuRequestedMilli()[n] = Math.round(1000 * Arrays.stream(CORES[n]).sum());
    }
    for (int i = 0; i < 60; i++) {
      state.podBound(pod("job-" + i, "jobs", 1000), "node-0", 100 * i);
      state.podGone("job-" + i, 100 * i + 90);
    }
    SplittableRandom random = new SplittableRandom(1);
    for (double t = 60; t < END; t += 30) {
      sample(state, t, random);
    }
    return state;
  }

  @Test
  void afterARestartTheScoresAreThoseOfBefore_seed1() {
    ClusterState before = learned();
    byte[] file = LearnedState.of(before, END).encode();
    double now = END + DOWN;
    ClusterState after = new ClusterState(CONFIG);
    bindAll(after);
    LearnedState.decode(file).into(after, now);
    ClusterState fresh = new ClusterState(CONFIG);
    fresh.deciding(nodes, 0);
    bindAll(fresh);
    for (ClusterState state : new ClusterState[] {before, after, fresh}) {
      sample(state, now - 5, new SplittableRandom(2));
    }
    double[] horizons = {0, 900, 1800, 3000};
    Pod pod = pod("new", "owner-2", 2000);
    double[] want = score(PredictThenGreedy.best(), now, pod, nodes, before);
    double[] got = score(PredictThenGreedy.best(), now, pod, nodes, after);
    double spread =
        Arrays.stream(want).max().orElseThrow() - Arrays.stream(want).min().orElseThrow();
    assertThat(distance(want, got)).as("scores, of the spread").isLessThan(0.05 * spread);

    double[][] cpuBefore = before.expectedCpu(nodes, now, horizons);
    double[][] cpuAfter = after.expectedCpu(nodes, now, horizons);
    double[][] cpuFresh = fresh.expectedCpu(nodes, now, horizons);
    // Correlations between beliefs are not kept: hence the quarter of a core, of 64.
    for (int h = 0; h < horizons.length; h++) {
      assertThat(distance(cpuBefore[h], cpuAfter[h]))
          .as("cores at " + horizons[h])
          .isLessThan(0.25);
    }
    assertThat(distance(cpuBefore[2], cpuFresh[2])).as("cores without it").isGreaterThan(1);
    for (int o = 0; o < RATIO.length; o++) {
      assertThat(after.ownerRatio("owner-" + o))
          .isCloseTo(before.ownerRatio("owner-" + o), within(0.02));
    }
    assertThat(survival(after, now)).isCloseTo(survival(before, now), within(0.01));
    assertThat(survival(fresh, now)).isEqualTo(1);
  }

  private static double survival(ClusterState state, double now) {
    double[] survival = new double[1];
    state.expectedPodCpu(pod("j", "jobs", 1000), now, new double[] {600}, survival);
    return survival[0];
  }

  private static double distance(double[] a, double[] b) {
    double most = 0;
    for (int i = 0; i < a.length; i++) {
      most = Math.max(most, Math.abs(a[i] - b[i]));
    }
    return most;
  }

  @Test
  void runningPodsAreNotCountedAsLivingTwice() {
    ClusterState before = learned();
    ClusterState after = new ClusterState(CONFIG);
    bindAll(after);
    LearnedState.of(before, END).into(after, END);
    assertThat(after.owners().get("owner-1").exposure(END + 100))
        .isCloseTo(before.owners().get("owner-1").exposure(END + 100), within(1e-6));
  }

  @Test
  void dailyRestartsDoNotKeepAnOwnerWithoutPods() {
    double day = 86_400;
    ClusterState state = new ClusterState(CONFIG);
    state.podBound(pod("a", "runs", 1000), "node-0", 0);
    state.podBound(pod("b", "ended", 1000), "node-0", 0);
    state.podGone("b", 600);
    for (double now = day; now <= 3 * day; now += day) {
      byte[] file = LearnedState.of(state, now).encode();
      state = new ClusterState(CONFIG);
      state.podBound(pod("a", "runs", 1000), "node-0", 0);
      LearnedState.decode(file).into(state, now + DOWN);
      boolean known = state.owners().containsKey("ended");
      assertThat(known).as("after " + now / day + " days").isEqualTo(now < 3 * day);
      if (known) {
        assertThat(state.owners().get("ended").exposure(now + DOWN)).isEqualTo(600);
      }
      assertThat(state.owners().get("runs").exposure(now + DOWN)).isEqualTo(now + DOWN);
      state.sample(cpu("node-0", now + DOWN, now + DOWN + 30, 1), now + DOWN + 40);
      state.sample(cpu("node-0", now + 4000, now + 4030, 1), now + 4040);
    }
  }

  @Test
  void aDamagedFileAndOneOfOtherEstimatesAreRefused() {
    byte[] file = LearnedState.of(learned(), END).encode();
    byte[] flipped = file.clone();
    flipped[file.length / 2] ^= 1;
    assertThatThrownBy(() -> LearnedState.decode(flipped)).hasMessageContaining("checksum");
    assertThatThrownBy(() -> LearnedState.decode(Arrays.copyOf(file, file.length - 100)))
        .hasMessageContaining("damaged or cut short");
    assertThatThrownBy(() -> LearnedState.decode(new byte[100]))
        .hasMessageContaining("not a file of what was learned of owners");
    assertThatThrownBy(
            () -> LearnedState.decode(file).into(new ClusterState(UsageConfig.DEFAULT), END))
        .hasMessageContaining("7200.0 s")
        .hasMessageContaining("86400.0 s");
  }

  @Test
  void aClockThatWentBackDoesNotFreezeWhatIsLearned() {
    ClusterState before = learned();
    ClusterState after = new ClusterState(CONFIG);
    bindAll(after);
    double now = END - 5000;
    LearnedState.of(before, END).into(after, now);
    assertThat(after.owners().get("owner-1").exposure(now + 10)).isGreaterThan(0);
    double ratio = after.ownerRatio("owner-2");
    for (double t = now + 30; t < now + 1500; t += 30) {
      for (int n = 0; n < NODES; n++) {
        after.sample(cpu("node-" + n, t - 30, t, 1), t + 5);
      }
    }
    assertThat(after.ownerRatio("owner-2")).isLessThan(0.7 * ratio);
  }

  @Test
  void aCopyInPortionsIsTheSame() {
    ClusterState state = learned();
    LearnedState.Copy copy = new LearnedState.Copy(state, END);
    int portions = 1;
    while (copy.more(3)) {
      portions++;
    }
    assertThat(portions).isEqualTo(7); // 4 owners, 12 pods, 4 nodes
    assertThat(copy.done().encode()).isEqualTo(LearnedState.of(state, END).encode());
  }
}
