package dev.berth.policy.gpu;

import static dev.berth.policy.gpu.Shapes.cpuOnly;
import static dev.berth.policy.gpu.Shapes.node;
import static dev.berth.policy.gpu.Shapes.shared;
import static dev.berth.policy.gpu.Shapes.starved;
import static dev.berth.policy.gpu.Shapes.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.cluster.PodRequests;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FragmentationTest {

  @Test
  void idle_milli_that_no_typical_pod_can_use_is_fragment() {
    TypicalPods onlyEight = new TypicalPods(List.of(whole(8_000, 8)), new double[] {1});
    assertThat(new Fragmentation(onlyEight).of(node("T4", 96_000, 1000, 1000, 700)))
        .isEqualTo(2700);
  }

  @Test
  void cpu_starved_cards_are_fragment() {
    TypicalPods typical = new TypicalPods(List.of(whole(8_000, 1)), new double[] {1});
    assertThat(new Fragmentation(typical).of(starved("T4", 96_000, 8_000, 1000, 1000))).isZero();
    assertThat(new Fragmentation(typical).of(starved("T4", 96_000, 7_999, 1000, 1000)))
        .isEqualTo(2000);
  }

  @Test
  void cards_of_a_model_nobody_accepts_and_all_cards_for_cpu_pods_are_fragment() {
    TypicalPods typical =
        new TypicalPods(
            List.of(whole(8_000, 1, "V100"), cpuOnly(1_000)), new double[] {0.75, 0.25});
    assertThat(new Fragmentation(typical).of(node("T4", 96_000, 1000))).isEqualTo(1000);
    assertThat(new Fragmentation(typical).of(node("V100", 96_000, 1000))).isEqualTo(250);
  }

  @Test
  void grouped_terms_equal_the_definition_pod_by_pod_seed_7() {
    SplittableRandom random = new SplittableRandom(7);
    int[] shares = {100, 250, 500, 810, 1000};
    String[] models = {"T4", "P100", "V100"};
    for (int trial = 0; trial < 500; trial++) {
      List<PodRequests> workload = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        int milli = shares[random.nextInt(5)];
        String[] accepted =
            random.nextInt(3) == 0 ? new String[] {models[random.nextInt(3)]} : new String[0];
        workload.add(
            switch (random.nextInt(3)) {
              case 0 -> cpuOnly(1_000L * random.nextInt(20));
              case 1 -> whole(1_000L * random.nextInt(20), 1 + random.nextInt(4), accepted);
              default -> shared(1_000L * random.nextInt(20), milli);
            });
      }
      TypicalPods typical = TypicalPods.of(workload, 0.95);
      int[] free = new int[1 + random.nextInt(8)];
      for (int card = 0; card < free.length; card++) {
        free[card] = random.nextInt(3) == 0 ? 1000 : random.nextInt(1001);
      }
      GpuNode node = starved(models[random.nextInt(3)], 96_000, random.nextInt(20_000), free);
      assertThat(new Fragmentation(typical).of(node))
          .isCloseTo(podByPod(typical, node), within(1e-6));
    }
  }

  /** Section 3.2 of the paper, word for word. */
  private static double podByPod(TypicalPods typical, GpuNode node) {
    double sum = 0;
    for (int i = 0; i < typical.size(); i++) {
      PodRequests pod = typical.shapes().get(i);
      int fragment = 0;
      if (pod.gpu().count() == 0 || node.misfit(pod) != Misfit.NONE) {
        fragment = node.idleMilli();
      } else {
        for (int card = 0; card < node.cards(); card++) {
          if (node.freeMilli(card) < pod.gpu().milli()) {
            fragment += node.freeMilli(card);
          }
        }
      }
      sum += typical.popularity()[i] * fragment;
    }
    return sum;
  }

  @Test
  void typical_pods_stop_at_the_coverage_and_are_renormalised() {
    List<PodRequests> workload = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      workload.add(whole(8_000, 1));
    }
    for (int i = 0; i < 35; i++) {
      workload.add(shared(4_000, 500));
    }
    for (int i = 0; i < 5; i++) {
      workload.add(cpuOnly(2_000));
    }
    TypicalPods typical = TypicalPods.of(workload, 0.95);
    assertThat(typical.size()).isEqualTo(2);
    assertThat(typical.popularity()[0]).isCloseTo(60 / 95.0, within(1e-9));
    assertThat(typical.popularity()[1]).isCloseTo(35 / 95.0, within(1e-9));
  }
}
