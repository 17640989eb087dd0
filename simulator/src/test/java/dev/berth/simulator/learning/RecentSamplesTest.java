package dev.berth.simulator.learning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import org.junit.jupiter.api.Test;

/** What samples have lately shown, as a forecaster with a memory would see it. */
final class RecentSamplesTest {
  /** One that knows of no pod, and so expects nothing. */
  private final ClusterState state = new ClusterState(UsageConfig.DEFAULT);

  private final RecentSamples recent = new RecentSamples();

  @Test
  void whatWasNotExpectedIsHalfLearnedAfterAHalfLife() {
    for (double end = 30; end <= 330; end += 30) {
      sampled(end, 8); // the first surprises nobody: nothing was expected before it
    }
    double[] shown = recent.of("node-0", 0.1);
    assertThat(shown).hasSameSizeAs(RecentSamples.names());
    for (int used = 0; used < 3; used++) {
      assertThat(shown[used]).isCloseTo(0.4, within(1e-9));
    }
    double halfAnHour = 0.5 * (1 - Math.pow(0.5, 300.0 / 1800));
    double twoHours = 0.5 * (1 - Math.pow(0.5, 300.0 / 7200));
    for (int first : new int[] {3, 6}) { // with its sign, and its size
      assertThat(shown[first]).isCloseTo(0.25, within(1e-9));
      assertThat(shown[first + 1]).isCloseTo(halfAnHour, within(1e-9));
      assertThat(shown[first + 2]).isCloseTo(twoHours, within(1e-9));
    }
  }

  @Test
  void aSampleThatComesTwiceOrWithoutAValueTellsNothing() {
    sampled(30, 8);
    double[] before = recent.of("node-0", 0);
    sampled(30, 16);
    sampled(60, Double.NaN);
    assertThat(recent.of("node-0", 0)).containsExactly(before);
    assertThat(recent.of("node-1", 0)).containsOnly(0);
  }

  private void sampled(double end, double cores) {
    double unknown = Double.NaN;
    var sample = new NodeSample("node-0", end - 30, end, cores, unknown, unknown, unknown);
    recent.sampled(sample, 16, end + 5, state);
  }
}
