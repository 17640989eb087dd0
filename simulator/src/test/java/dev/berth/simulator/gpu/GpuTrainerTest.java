package dev.berth.simulator.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.berth.policy.gpu.RandomNode;
import dev.berth.policy.gpu.TieRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class GpuTrainerTest {
  private static final GpuTrace TRACE = SampleTrace.small();

  @Test
  void a_short_training_on_one_half_of_the_pods_beats_random_placement_on_the_other_seed_3() {
    GpuTrainer.Config config =
        new GpuTrainer.Config(1.3, 4, 8, 400, 128, 5e-3, 1, 2, List.of(1000L), 0, 3);
    GpuTrainer.Trial trial =
        new GpuTrainer(config, Map.of(), line -> {})
            .train(List.of(TraceVariants.half(TRACE, 0)), 1);
    GpuTrace other = TraceVariants.half(TRACE, 1);
    GpuPolicies factory = new GpuPolicies(trial.model());
    FillUp fillUp = new FillUp(other, 1.3, TieRule.RANDOM);
    List<FillUpResult> learned = new ArrayList<>();
    List<FillUpResult> random = new ArrayList<>();
    for (long seed = 1; seed <= 5; seed++) {
      learned.add(fillUp.run(factory.make(GpuPolicies.LEARNED, other, seed), seed));
      random.add(fillUp.run(new RandomNode(new SplittableRandom(seed)), seed));
    }
    assertThat(FillUpComparison.of(learned, random).gain()).isGreaterThan(0.5);
  }

  @Test
  void halves_share_no_pod_and_leave_none_out() {
    List<GpuTrace.PodRow> both = new ArrayList<>(TraceVariants.half(TRACE, 0).pods());
    both.addAll(TraceVariants.half(TRACE, 1).pods());
    assertThat(both).containsExactlyInAnyOrderElementsOf(TRACE.pods());
  }

  @Test
  void a_mixed_variant_splits_its_demand_as_asked_seed_4() {
    GpuTrace mixed = TraceVariants.mixed(TRACE, 0.3, 0.5, 4);
    double[] demand = new double[2];
    double total = 0;
    for (GpuTrace.PodRow pod : mixed.pods()) {
      double gpus = pod.shape().gpu().totalMilli();
      total += gpus;
      demand[0] += pod.shape().sharesCard() ? gpus : 0;
      demand[1] += pod.shape().gpu().count() > 1 ? gpus : 0;
    }
    assertThat(demand[0] / total).isCloseTo(0.3, within(0.05));
    assertThat(demand[1] / total).isCloseTo(0.5, within(0.05));
  }

  @Test
  void a_gain_paid_with_failed_big_pods_misses_the_guardrails() {
    FillUpComparison fair = new FillUpComparison("t", "p", 0.5, 0.1, -0.05, 0, 0.3, 0.01);
    FillUpComparison unfair = new FillUpComparison("t", "p", 2, 0.1, -0.05, 0, 0.3, 0.05);
    FillUpComparison late = new FillUpComparison("t", "p", 2, 0.1, -1, 0, 0.3, 0);
    assertThat(fair.keepsGuardrails()).isTrue();
    assertThat(unfair.keepsGuardrails()).isFalse();
    assertThat(late.keepsGuardrails()).isFalse();
    assertThat(FillUpComparison.table(List.of(unfair), "fgd"))
        .contains("| t | p | +2.00 ±0.10 | -0.05 | +0.00 | 30.0 / 35.0 % | MISSED |");
  }
}
