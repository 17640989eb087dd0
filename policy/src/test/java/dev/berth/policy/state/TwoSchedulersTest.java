package dev.berth.policy.state;

import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.Given;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.predict.PredictThenGreedy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Who asks tells what is requested on each node as it has heard; the cluster state may know more.
 */
class TwoSchedulersTest {
  private static final double[] NOW = {0};
  private final ClusterState state = Given.state();
  private final Candidates asked = nodes(2, 32_000);

  @BeforeEach
  void sixPodsComeToTheFirstNode() {
    state.deciding(asked, 0);
    for (int p = 0; p < 6; p++) {
      state.podBound(pod("pod-" + p, "owner", 2000), "node-0", 10);
    }
  }

  @Test
  void podsThatAnotherSchedulerHasJustPlacedCountThoughWhoAsksHasNotHeard() {
    double[] cores = state.expectedCpu(asked, 11, NOW)[0];
    asked.cpuRequestedMilli()[0] = 12_000;
    assertThat(cores).isEqualTo(state.expectedCpu(asked, 11, NOW)[0]);
    assertThat(cores[0]).isGreaterThan(cores[1] + 1);
    asked.cpuRequestedMilli()[0] = 0;
    double[] preferences =
        Given.score(PredictThenGreedy.best(), 11, pod("next", "owner-2", 2000), asked, state);
    assertThat(Given.best(preferences)).isEqualTo(1);
  }

  @Test
  void whereNobodyHasToldWhatIsRequestedTheBooksAloneSay() {
    asked.cpuRequestedMilli()[0] = 12_000;
    double told = state.expectedCpu(asked, 60, NOW)[0][0];
    asked.cpuRequestedMilli()[0] = Candidates.NOT_TOLD;
    assertThat(state.expectedCpu(asked, 60, NOW)[0][0]).isEqualTo(told);
  }

  @Test
  void podsOfAnotherSchedulerCountWhereWhoAsksHasPlacedItsOwnLatelyToo() {
    for (int p = 0; p < 6; p++) {
      state.podBound(pod("theirs-" + p, "owner-2", 2000), "node-0", 40);
      state.podBound(pod("mine-" + p, "owner", 2000), "node-1", 10);
    }
    for (int node = 0; node < 2; node++) { // each has six of its own, younger than a minute
      asked.cpuRequestedMilli()[node] = 12_000;
      asked.pendingCpuMilli()[node] = 12_000;
    }
    double[] cores = state.expectedCpu(asked, 41, NOW)[0];
    assertThat(cores[0]).isGreaterThan(1.5 * cores[1]);
  }

  @Test
  void podsThatHaveEndedAndWereNotToldOfDoNotCount() {
    double[] cores = state.expectedCpu(asked, 60, NOW)[0]; // nobody still has to hear of them
    assertThat(cores[0]).isCloseTo(cores[1], within(1e-9));
  }

  @Test
  void freshPodsOfWhoAsksAreNoneOfAnotherScheduler() {
    state.podBound(pod("its own", "owner", 2000), "node-0", 99);
    asked.cpuRequestedMilli()[0] = 2_000; // and the six have ended
    asked.pendingCpuMilli()[0] = 2_000;
    double[] withIts = state.expectedCpu(asked, 100, NOW)[0];
    asked.cpuRequestedMilli()[1] = 2_000;
    assertThat(withIts[0]).isCloseTo(state.expectedCpu(asked, 100, NOW)[0][1], within(1e-9));
  }
}
