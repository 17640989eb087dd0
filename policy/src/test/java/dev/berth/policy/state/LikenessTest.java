package dev.berth.policy.state;

import static dev.berth.policy.Given.cpu;
import static dev.berth.policy.Given.nodes;
import static dev.berth.policy.Given.pod;
import static dev.berth.policy.usage.Likeness.ALIKE;
import static dev.berth.policy.usage.Likeness.UNLIKE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.usage.Likeness;
import dev.berth.policy.usage.UsageConfig;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Ten nodes whose pods come and go; what is believed of them is what forecasts best. */
class LikenessTest {
  private static final int NODES = 10;
  private static final int HOURS = 6;
  private static final double[] HORIZONS = {0, 300, 3000};

  private final Candidates nodes = nodes(NODES, 16_000);

  @Test
  void pods_that_differ_by_half_of_their_mean_are_believed_to_differ_seed_1() {
    assertThat(played(0.6, 1, List.of(ALIKE, UNLIKE)).likeness()).isEqualTo(UNLIKE);
  }

  /** Every bind, move, end and sample reaches each belief, and every question the leading one. */
  @Test
  void what_is_told_is_what_the_leading_belief_alone_would_tell_seed_1() {
    ClusterState both = played(0.6, 1, List.of(ALIKE, UNLIKE));
    ClusterState alone = played(0.6, 1, List.of(UNLIKE));
    double now = 3600 * HOURS;
    assertThat(both.expectedCpu(nodes, now, HORIZONS))
        .isDeepEqualTo(alone.expectedCpu(nodes, now, HORIZONS));
    assertThat(both.expectedCpu("node-3", now, 60)).isEqualTo(alone.expectedCpu("node-3", now, 60));
    assertThat(both.power(nodes)).isEqualTo(alone.power(nodes));
    assertThat(both.ledgerCpu(nodes, now)).isEqualTo(alone.ledgerCpu(nodes, now));
    assertThat(both.ownerRatio("owner-1")).isEqualTo(alone.ownerRatio("owner-1"));
    assertThat(both.ownerVariance("owner-1", now, HORIZONS))
        .isEqualTo(alone.ownerVariance("owner-1", now, HORIZONS));
    assertThat(both.measuredCpuWithout("node-3", both.binds() - 5, now, 300))
        .isEqualTo(alone.measuredCpuWithout("node-3", alone.binds() - 5, now, 300));
    // By the other belief they are told otherwise, or this test would show nothing.
    assertThat(played(0.6, 1, List.of(ALIKE)).ownerRatio("owner-1"))
        .isNotEqualTo(alone.ownerRatio("owner-1"));
  }

  @Test
  void to_believe_nothing_is_refused() {
    assertThatThrownBy(() -> UsageConfig.DEFAULT.withLikeness(List.of()))
        .hasMessageContaining("ALIKE");
  }

  /**
   * Samples every 30 s of pods of which each lives for an hour; one in three is moved on its way.
   *
   * @param spread standard deviation of a pod's ratio from its owner's
   */
  private ClusterState played(double spread, long seed, List<Likeness> beliefs) {
    ClusterState state = new ClusterState(UsageConfig.DEFAULT.withLikeness(beliefs));
    SplittableRandom random = new SplittableRandom(seed);
    int slots = 6;
    String[][] uids = new String[NODES][slots];
    double[][] cores = new double[NODES][slots];
    state.deciding(nodes, 0);
    for (int step = 1; step <= HOURS * 120; step++) {
      double now = 30 * step;
      int n = step % NODES;
      int slot = step / NODES % slots;
      if (uids[n][slot] != null) {
        state.podGone(uids[n][slot], now - 30);
      }
      int owner = random.nextInt(3);
      uids[n][slot] = "pod-" + step;
      var pod = pod(uids[n][slot], "owner-" + owner, 2000);
      state.deciding(nodes, now - 30);
      if (step % 3 == 0) {
        state.podBound(pod, "node-" + (n + 1) % NODES, now - 30);
      }
      state.podBound(pod, "node-" + n, now - 30);
      double ratio = 0.3 + 0.2 * owner;
      cores[n][slot] = 2 * ratio * Math.max(0, 1 + spread * random.nextGaussian());
      for (int i = 0; i < NODES; i++) {
        double used = 0.3 + 0.05 * random.nextGaussian();
        for (double c : cores[i]) {
          used += c;
        }
        state.sample(cpu("node-" + i, now - 30, now, Math.max(0, used)), now);
      }
    }
    return state;
  }
}
