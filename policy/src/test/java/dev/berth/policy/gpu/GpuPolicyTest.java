package dev.berth.policy.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.Decision;
import dev.berth.policy.cluster.Candidates;
import dev.berth.policy.cluster.GpuColumns;
import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.LatencyLimits;
import dev.berth.policy.cluster.Pod;
import java.util.List;
import org.junit.jupiter.api.Test;

class GpuPolicyTest {
  private static final long GIB = 1L << 30;

  private static Decision decision(GpuRequest request) {
    int[] zero = {0, 0, 0};
    long[] none = {0, 0, 0};
    Candidates candidates =
        new Candidates(
            new String[] {"full", "broken", "cpu"},
            new long[] {64_000, 64_000, 64_000},
            new long[] {256 * GIB, 256 * GIB, 256 * GIB},
            new int[] {110, 110, 110},
            none,
            none,
            zero,
            none,
            none,
            zero,
            new String[] {"", "", ""},
            new String[] {"", "", ""},
            new GpuColumns(new String[] {"T4", "T4", ""}, new int[][] {{0, 100}, {1000, 600}, {}}));
    Pod pod = new Pod("u", "p", "default", "o", 0, 4_000, GIB, request, LatencyLimits.NONE);
    return new Decision(0, pod, candidates, null);
  }

  @Test
  void the_cards_to_take_are_reported_per_candidate() {
    GpuPolicy policy = new BestFit();
    assertThat(policy.cards(decision(new GpuRequest(1, 500, List.of()))))
        .isDeepEqualTo(new int[][] {{}, {1}, {}});
    assertThat(policy.cards(decision(new GpuRequest(1, 1000, List.of()))))
        .isDeepEqualTo(new int[][] {{}, {0}, {}});
    assertThat(policy.cards(decision(GpuRequest.NONE))).isDeepEqualTo(new int[][] {{}, {}, {}});
  }

  @Test
  void a_candidate_without_room_scores_below_every_other() {
    double[] preferences = new double[3];
    new BestFit().score(decision(new GpuRequest(1, 500, List.of())), preferences);
    assertThat(preferences[1]).isGreaterThan(preferences[0]).isGreaterThan(preferences[2]);
    assertThat(preferences[0]).isFinite();
  }
}
