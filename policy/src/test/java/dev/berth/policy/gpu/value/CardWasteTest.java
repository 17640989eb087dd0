package dev.berth.policy.gpu.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.GpuRequest;
import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.GpuNode;
import dev.berth.policy.gpu.GpuPlacer;
import dev.berth.policy.gpu.TieRule;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CardWasteTest {
  private static final long GIB = 1L << 30;

  private static PodRequests pod(int milli) {
    return new PodRequests(1_000, GIB, new GpuRequest(1, milli, List.of()));
  }

  /** So many pods of each size: milli, pods, milli, pods, ... */
  private static List<PodRequests> pods(int... milliAndNumber) {
    List<PodRequests> pods = new ArrayList<>();
    for (int i = 0; i < milliAndNumber.length; i += 2) {
      pods.addAll(Collections.nCopies(milliAndNumber[i + 1], pod(milliAndNumber[i])));
    }
    return pods;
  }

  @Test
  void what_no_pod_asks_for_stays_idle() {
    CardWaste waste = new CardWaste(pods(470, 100, 1000, 200));
    assertThat((double) waste.of(460)).isCloseTo(0.46, within(1e-6));
    assertThat((double) waste.of(530)).isCloseTo(0.06, within(0.02));
    assertThat((double) waste.of(60)).isCloseTo(0.06, within(1e-6));
  }

  @Test
  void a_rare_pod_cannot_fill_what_common_ones_leave() {
    assertThat((double) new CardWaste(pods(190, 1, 810, 100)).of(190)).isGreaterThan(0.17);
    assertThat((double) new CardWaste(pods(190, 200, 810, 100)).of(190)).isLessThan(0.02);
  }

  @Test
  void half_a_card_is_kept_for_its_match_as_on_openb() {
    CardWaste waste = new CardWaste(pods(470, 750, 650, 250, 320, 330, 1000, 3900));
    assertThat(waste.causedBy(320, 530)).isGreaterThan(waste.causedBy(320, 1000) + 0.05);
    assertThat(waste.causedBy(320, 350)).isLessThan(waste.causedBy(320, 1000));
    assertThat(waste.causedBy(470, 530)).isLessThan(waste.causedBy(470, 1000));
  }

  @Test
  void waste_lies_between_nothing_and_all_seed_8() {
    SplittableRandom random = new SplittableRandom(8);
    List<PodRequests> pods = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      pods.add(pod(1 + random.nextInt(1000)));
    }
    CardWaste waste = new CardWaste(pods);
    for (int free = 0; free <= GpuRequest.CARD_MILLI; free++) {
      assertThat((double) waste.of(free)).isBetween(0.0, free / 1000.0 + 1e-6);
    }
  }

  @Test
  void without_pods_all_that_is_free_counts() {
    assertThat((double) CardWaste.NONE.of(345)).isCloseTo(0.345, within(1e-6));
  }

  @Test
  void least_card_waste_matches_cards_and_leaves_the_node_to_chance_seed_2() {
    WorkloadProfile workload =
        new WorkloadProfile(
            1,
            1,
            0,
            0,
            Map.of(),
            BigPodRoom.NONE,
            new CardWaste(pods(470, 750, 650, 250, 320, 330, 1000, 3900)));
    LeastCardWaste policy = new LeastCardWaste(workload);
    GpuNode broken =
        GpuNode.observed("b", "T4", new int[] {1000, 530, 350}, 96_000, 96 * GIB, 96_000, 96 * GIB);
    assertThat(policy.cards(pod(320), broken)).isEqualTo(0b100);
    assertThat(policy.cards(pod(470), broken)).isEqualTo(0b010);

    GpuNode[] nodes = new GpuNode[20];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new GpuNode("n" + i, "T4", 8, 96_000, 96 * GIB);
    }
    GpuPlacer placer = new GpuPlacer(nodes, policy, TieRule.RANDOM, new SplittableRandom(2));
    assertThat(IntStream.range(0, 200).map(i -> placer.choose(pod(1000))).distinct().count())
        .isEqualTo(20);
  }
}
