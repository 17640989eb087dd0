package dev.berth.policy.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import org.junit.jupiter.api.Test;

/** What a reward is measured by. */
final class LaterBindsTest {
  @Test
  void replicasBoundInOneInstantCountAsEarlierOrLaterByTheirOrder() {
    ClusterState state = new ClusterState(UsageConfig.DEFAULT);
    state.podBound(Pod.of("first", "owner", 1000, 0), "node", 100);
    long between = state.binds();
    state.podBound(Pod.of("second", "owner", 1000, 0), "node", 100);
    state.sample(new NodeSample("node", 300, 330, 5, Double.NaN, Double.NaN, Double.NaN), 335);
    double none = state.measuredCpuWithout("node", state.binds(), 340, 30);
    double one = state.measuredCpuWithout("node", between, 340, 30);
    double both = state.measuredCpuWithout("node", 0, 340, 30);
    assertThat(none).isCloseTo(5, within(1e-9));
    assertThat(one).isLessThan(none);
    assertThat(none - one).isCloseTo(one - both, within(1e-9));
  }

  /**
   * A pod uses 0.6 cores on top of the node's 5, of which it takes three quarters in its first
   * minute. The sample before it came has nothing of it, and is no part of what is measured.
   */
  @Test
  void whatAPodBroughtIsTakenOffInFullHoweverFarScrapesLieApart() {
    ClusterState state = new ClusterState(UsageConfig.DEFAULT);
    state.sample(cpu(0, 60, 5), 60);
    state.sample(cpu(60, 120, 5), 120);
    long decision = state.binds();
    state.podBound(Pod.of("own", "owner", 1000, 0), "node", 120);
    state.sample(cpu(120, 180, 5 + 0.75 * 0.6), 180);
    state.sample(cpu(180, 240, 5 + 0.6), 240);
    for (double window : new double[] {30, 60, 119, 120, 121, 180, 240}) {
      assertThat(state.measuredCpuWithout("node", decision, 245, window))
          .as("over %s s", window)
          .isCloseTo(5, within(1e-9));
    }
  }

  private static NodeSample cpu(double from, double to, double cores) {
    return new NodeSample("node", from, to, cores, Double.NaN, Double.NaN, Double.NaN);
  }

  @Test
  void aSchedulerWhoseClockIsBehindDoesNotHideItsOwnPod() {
    assertThat(measuredOfAPodBoundAt(99.990)).isEqualTo(measuredOfAPodBoundAt(100.010));
  }

  /** Decided at 100 s by our clock; bound right after it by a clock of its own. */
  private static double measuredOfAPodBoundAt(double theirs) {
    ClusterState state = new ClusterState(UsageConfig.DEFAULT);
    long decision = state.binds();
    state.podBound(Pod.of("own", "owner", 1000, 0), "node", theirs);
    state.sample(new NodeSample("node", 300, 330, 5, Double.NaN, Double.NaN, Double.NaN), 335);
    return state.measuredCpuWithout("node", decision, 340, 30);
  }
}
