package dev.berth.policy.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.policy.state.ClusterState;
import dev.berth.policy.usage.UsageConfig;
import org.junit.jupiter.api.Test;

class NowCheckTest {
  private static final double CORES = 64;

  private final ClusterState state = new ClusterState(UsageConfig.DEFAULT);
  private final NowCheck check = new NowCheck(0.05, Double.POSITIVE_INFINITY);

  @Test
  void anExpectationIsHeldAgainstTheNextSampleOfItsNode() {
    know("a");
    sample("a", 5, 10, 5);
    assertThat(check.all().accuracy().outcomes()).isZero();
    double expected = state.expectedCpu("a", 10, 5);
    sample("a", 10, 15, 20);
    assertThat(check.all().accuracy().outcomes()).isEqualTo(1);
    assertThat(check.all().accuracy().bias()).isCloseTo((20 - expected) / CORES, within(1e-9));
  }

  @Test
  void whatLaterBindsBroughtIsNoError() {
    know("a");
    sample("a", 0, 100, 1);
    state.podBound(Pod.of("late", "default/Deployment/x", 8_000, 1), "a", 100);
    // Half of its ramp of 30 s counts as absence.
    sample("a", 100, 200, 1 + 0.85 * 8 * state.ownerRatio("default/Deployment/x"));
    assertThat(check.all().accuracy().bias()).isCloseTo(0, within(0.01));
  }

  @Test
  void overlappingWindowsAreNoOutcomes() {
    know("a");
    sample("a", 0, 60, 5);
    sample("a", 5, 65, 5);
    sample("a", 10, 70, 5);
    assertThat(check.all().accuracy().outcomes()).isZero();
    sample("a", 60, 120, 5);
    assertThat(check.all().accuracy().outcomes()).isEqualTo(1);
  }

  @Test
  void nodesThatTakeThePlaceOfAllOthersAreLookedAt() {
    for (int i = 0; i < 200; i++) {
      know("old-" + i);
      sample("old-" + i, 0, 60, 5);
    }
    know("new");
    sample("new", 660, 720, 5);
    sample("new", 720, 780, 5);
    sample("new", 780, 840, 5);
    assertThat(check.all().accuracy().outcomes()).isPositive();
  }

  @Test
  void justAfterABindCountsApart() {
    know("a");
    sample("a", 0, 5, 5);
    sample("a", 5, 10, 5);
    state.podBound(Pod.of("p", "default/Deployment/x", 1_000, 1), "b", 11);
    sample("a", 10, 15, 5);
    assertThat(check.justBound().accuracy().outcomes()).isZero();
    sample("a", 15, 20, 5);
    assertThat(check.justBound().accuracy().outcomes()).isEqualTo(1);
    for (double end = 25; end <= 50; end += 5) {
      sample("a", end - 5, end, 5);
    }
    double then = check.justBound().accuracy().outcomes();
    sample("a", 50, 55, 5);
    assertThat(check.justBound().accuracy().outcomes()).isEqualTo(then);
  }

  /** Nobody knows a node's capacity until a decision names it. */
  private void know(String node) {
    Candidates candidates =
        new Candidates(
            new String[] {node},
            new long[] {Math.round(1000 * CORES)},
            new long[] {1},
            new int[] {110},
            new long[1],
            new long[1],
            new int[1],
            new long[1],
            new long[1],
            new int[1],
            new String[] {""},
            new String[] {""},
            null);
    state.deciding(candidates, 0);
  }

  private void sample(String node, double start, double end, double cores) {
    NodeSample sample = new NodeSample(node, start, end, cores, 1e9, 0, 0);
    state.sample(sample, end);
    check.sampled(sample, CORES, end, state);
  }
}
