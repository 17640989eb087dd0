package dev.berth.policy.gpu;

import static dev.berth.policy.gpu.Shapes.cpuOnly;
import static dev.berth.policy.gpu.Shapes.node;
import static dev.berth.policy.gpu.Shapes.shared;
import static dev.berth.policy.gpu.Shapes.starved;
import static dev.berth.policy.gpu.Shapes.whole;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Every expected value is worked out by hand from the rule as published. */
class HeuristicsTest {

  @Test
  void dot_product_falls_with_what_is_free_and_is_truncated() {
    // 64/128 * 32/128 + 4/8 * 2/8 = 0.125 + 0.125; 100 * (1 - 0.25 / 2) = 87.5
    assertThat(new DotProduct().score(whole(32_000, 2), node("T4", 64_000, 1000, 1000, 1000, 1000)))
        .isEqualTo(87);
    // 32/128 * 32/128 + 2/8 * 2/8 = 0.125; 100 * (1 - 0.0625) = 93.75
    assertThat(
            new DotProduct()
                .score(whole(32_000, 2), starved("T4", 64_000, 32_000, 1000, 1000, 0, 0)))
        .isEqualTo(93);
  }

  @Test
  void best_fit_prefers_the_node_with_the_least_left_over() {
    // left = (64-16)/128/2 + (4-1)/8/2 = 0.1875 + 0.1875; (1 - 0.375) * 100 = 62.5
    assertThat(new BestFit().score(whole(16_000, 1), node("T4", 64_000, 1000, 1000, 1000, 1000)))
        .isEqualTo(62);
    // left = 0 + 0
    assertThat(new BestFit().score(whole(16_000, 1), starved("T4", 64_000, 16_000, 1000, 0)))
        .isEqualTo(100);
  }

  @Test
  void gpu_packing_fills_used_cards_then_used_nodes_then_idle_nodes() {
    GpuPacking packing = new GpuPacking();
    // 30 % free on the card in use: 100 - 30 / 10
    assertThat(packing.score(shared(1_000, 200), node("T4", 64_000, 300, 1000))).isEqualTo(97);
    // one whole card of a used node: 50 - 1
    assertThat(packing.score(shared(1_000, 400), node("T4", 64_000, 300, 1000))).isEqualTo(49);
    // an idle node of two cards: 33 - 2
    assertThat(packing.score(shared(1_000, 400), node("T4", 64_000, 1000, 1000))).isEqualTo(31);
    assertThat(packing.score(cpuOnly(1_000), node("T4", 64_000, 1000, 1000))).isZero();
  }

  @Test
  void gpu_clustering_keeps_like_with_like() {
    GpuClustering clustering = new GpuClustering();
    GpuNode node = new GpuNode("n", "T4", 4, 96_000, 512 * Shapes.GIB);
    // empty: 25 + 25 * (8000 - 4000) / 8000
    assertThat(clustering.score(shared(1_000, 500), node)).isEqualTo(37);
    node.place(shared(1_000, 500), 1);
    // 3500 idle: 25 * 4500 / 8000 = 14, only shared pods here
    assertThat(clustering.score(shared(1_000, 500), node)).isEqualTo(75 + 14);
    // another kind on a node of shared pods
    assertThat(clustering.score(whole(1_000, 1), node)).isEqualTo(14);
    node.place(whole(1_000, 1), 2);
    // 2500 idle: 25 * 5500 / 8000 = 17, the pod's kind among others
    assertThat(clustering.score(shared(1_000, 500), node)).isEqualTo(50 + 17);
    node.remove(whole(1_000, 1), 2);
    assertThat(clustering.score(shared(1_000, 500), node)).isEqualTo(75 + 14);
  }

  @Test
  void fgd_scores_the_change_of_the_expected_fragment() {
    // Two equally popular pods: half a card with 4 cores, a whole card with 8 cores.
    TypicalPods typical =
        new TypicalPods(List.of(shared(4_000, 500), whole(8_000, 1)), new double[] {0.5, 0.5});
    GpuNode node = node("T4", 32_000, 1000, 1000);
    Fragmentation fragmentation = new Fragmentation(typical);
    assertThat(fragmentation.of(node)).isZero();
    // After half a card is taken: 500 + 1000 idle; the half-card pod can use all of it, the
    // whole-card
    // pod only the second card: F = 0.5 * 500 = 250. 100 / (1 + exp(0.25)) = 43.78
    assertThat(new FragmentationGradient(typical).score(shared(4_000, 500), node)).isEqualTo(43);
    // A whole card leaves (0, 1000): nothing fragmented, sigmoid(0) = 50
    assertThat(new FragmentationGradient(typical).score(whole(8_000, 1), node)).isEqualTo(50);
  }

  @Test
  void fgd_takes_the_broken_card_when_that_fragments_less() {
    TypicalPods typical =
        new TypicalPods(List.of(shared(4_000, 500), whole(8_000, 1)), new double[] {0.5, 0.5});
    GpuNode node = node("T4", 32_000, 1000, 500);
    assertThat(new FragmentationGradient(typical).cards(shared(4_000, 500), node)).isEqualTo(0b10);
  }

  @Test
  void random_reaches_every_card_with_room_seed_1() {
    RandomNode random = new RandomNode(new SplittableRandom(1));
    GpuNode node = node("T4", 32_000, 1000, 100, 600);
    Set<Integer> chosen = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      chosen.add(random.cards(shared(1_000, 500), node));
    }
    assertThat(chosen).containsExactlyInAnyOrder(0b001, 0b100);
  }

  @Test
  void best_fit_takes_the_fullest_card_with_room_and_the_first_among_equals() {
    assertThat(Cards.bestFit(shared(1_000, 300), node("T4", 32_000, 1000, 400, 200, 400)))
        .isEqualTo(0b0010);
    assertThat(Cards.bestFit(whole(1_000, 2), node("T4", 32_000, 500, 1000, 1000, 1000)))
        .isEqualTo(0b0110);
    assertThat(Cards.bestFit(cpuOnly(1_000), node("T4", 32_000, 1000))).isZero();
  }
}
