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
