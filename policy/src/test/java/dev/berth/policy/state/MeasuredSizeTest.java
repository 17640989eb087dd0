package dev.berth.policy.state;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.Given;
import org.junit.jupiter.api.Test;

class MeasuredSizeTest {
  @Test
  void aNodesFirstSampleTeachesThoughNobodyHasAskedYet() {
    ClusterState state = Given.state();
    assertThat(state.sized("node-0", 64, 1_799_999_990)).isTrue();
    state.sample(cpu("node-0", 1_800_000_000, 1_800_000_060, 4), 1_800_000_061);
    assertThat(state.cpuCapacity("node-0")).isEqualTo(64);
    double[] now = {0};
    assertThat(state.expectedCpu(nodes(1, 64_000), 1_800_000_061, now)[0][0]).isBetween(3.0, 4.5);
  }

  @Test
  void aNodeMeasuredJustBeforeTheHourlyLookForIdleNodesIsKept() {
    ClusterState state = Given.state();
    state.sized("node-0", 64, 0);
    state.sized("node-1", 64, 3599);
    state.podGone("nobody", 3601);
    assertThat(state.knownNodes()).isEqualTo(1);
    assertThat(state.cpuCapacity("node-1")).isEqualTo(64);
  }
}
