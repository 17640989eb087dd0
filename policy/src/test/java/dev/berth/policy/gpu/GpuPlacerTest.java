package dev.berth.policy.gpu;

import static dev.berth.policy.gpu.Shapes.cpuOnly;
import static dev.berth.policy.gpu.Shapes.node;
import static dev.berth.policy.gpu.Shapes.shared;
import static dev.berth.policy.gpu.Shapes.starved;
import static dev.berth.policy.gpu.Shapes.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.cluster.PodRequests;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GpuPlacerTest {

  /** Counts how many nodes it was asked about. */
  private static final class Counting implements GpuPolicy.PerNode {
    int asked;

    @Override
    public String name() {
      return "counting";
    }

    @Override
    public double score(PodRequests pod, GpuNode node) {
      asked++;
      return -node.idleMilli();
    }
  }

  private static GpuNode[] threeNodes() {
    return new GpuNode[] {
      node("T4", 32_000, 1000, 1000), node("T4", 32_000, 1000, 1000), node("T4", 32_000, 1000)
    };
  }

  @Test
  void only_changed_nodes_are_scored_again() {
    Counting policy = new Counting();
    GpuPlacer placer =
        new GpuPlacer(threeNodes(), policy, TieRule.PUBLISHED, new SplittableRandom(1));
    PodRequests pod = shared(1_000, 300);
    assertThat(placer.choose(pod)).isEqualTo(2);
    assertThat(policy.asked).isEqualTo(3);
    placer.place(2, pod);
    placer.choose(pod);
    assertThat(policy.asked).isEqualTo(4);
  }

  @Test
  void cached_choices_equal_choices_made_afresh_seed_3() {
    SplittableRandom random = new SplittableRandom(3);
    GpuNode[] nodes = new GpuNode[30];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new GpuNode("n" + i, "T4", 1 + i % 8, 48_000, 512 * Shapes.GIB);
    }
    GpuPlacer cached = new GpuPlacer(nodes, new BestFit(), TieRule.PUBLISHED, random);
    for (int i = 0; i < 600; i++) {
      PodRequests pod =
          i % 3 == 0
              ? whole(4_000, 1 + random.nextInt(4))
              : shared(1_000 + 500L * random.nextInt(8), 100 + 50 * random.nextInt(10));
      int row = cached.choose(pod);
      assertThat(row)
          .isEqualTo(new GpuPlacer(nodes, new BestFit(), TieRule.PUBLISHED, random).choose(pod));
      if (row >= 0) {
        cached.place(row, pod);
      }
    }
  }

  @Test
  void published_ties_take_the_first_node_and_random_ties_reach_all_of_them_seed_2() {
    GpuNode[] nodes = {node("T4", 32_000, 1000), node("T4", 32_000, 1000)};
    GpuPlacer published =
        new GpuPlacer(nodes, new BestFit(), TieRule.PUBLISHED, new SplittableRandom(2));
    GpuPlacer random = new GpuPlacer(nodes, new BestFit(), TieRule.RANDOM, new SplittableRandom(2));
    Set<Integer> rows = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      assertThat(published.choose(whole(1_000, 1))).isZero();
      rows.add(random.choose(whole(1_000, 1)));
    }
    assertThat(rows).containsExactlyInAnyOrder(0, 1);
  }

  @Test
  void the_reason_of_a_failure_is_what_was_missing_where_the_pod_came_furthest() {
    GpuNode[] nodes = {starved("T4", 32_000, 4_000, 1000, 0), node("P100", 32_000, 500)};
    GpuPlacer placer =
        new GpuPlacer(nodes, new BestFit(), TieRule.PUBLISHED, new SplittableRandom(2));
    assertThat(placer.misfit(whole(1_000, 1, "V100"))).isEqualTo(Misfit.MODEL);
    assertThat(placer.misfit(whole(1_000, 1, "P100"))).isEqualTo(Misfit.CARD_ROOM);
    assertThat(placer.misfit(whole(1_000, 2))).isEqualTo(Misfit.CARD_ROOM);
    assertThat(placer.misfit(whole(5_000, 1, "T4"))).isEqualTo(Misfit.CPU);
    assertThat(placer.misfit(new PodRequests(1_000, 600 * Shapes.GIB, whole(1_000, 1).gpu())))
        .isEqualTo(Misfit.MEMORY);
    assertThat(placer.misfit(cpuOnly(1_000))).isEqualTo(Misfit.NONE);
    assertThat(placer.choose(whole(5_000, 1, "T4"))).isEqualTo(-1);
  }

  @Test
  void no_card_is_ever_given_more_than_it_has() {
    GpuNode node = node("T4", 32_000, 300, 1000);
    assertThatThrownBy(() -> node.place(shared(1_000, 500), 0b01))
        .hasMessageContaining("card 0 of node node has 300 milli free, the pod asks for 500");
    assertThatThrownBy(() -> node.place(whole(1_000, 2), 0b10))
        .hasMessageContaining("gpu-count=2 cannot use card mask 10");
  }
}
