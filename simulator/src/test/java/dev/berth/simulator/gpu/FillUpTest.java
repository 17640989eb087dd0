package dev.berth.simulator.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.PodRequests;
import dev.berth.policy.gpu.BestFit;
import dev.berth.policy.gpu.Misfit;
import dev.berth.policy.gpu.PodClass;
import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.value.ValueModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FillUpTest {
  private static final GpuTrace TRACE = SampleTrace.small();
  private static final GpuPolicies SCORERS = new GpuPolicies(ValueModel.shipped());

  private static FillUpResult run(String policy, TieRule ties, long seed) {
    return new FillUp(TRACE, 1.3, ties).run(SCORERS.make(policy, TRACE, seed), seed);
  }

  @Test
  void the_list_comes_first_and_samples_follow_until_the_demand_is_reached_seed_3() {
    List<PodRequests> arrivals = Arrivals.fillUp(TRACE, 1.3, new SplittableRandom(3));
    List<PodRequests> listed = TRACE.shapes();
    assertThat(arrivals.subList(0, listed.size())).containsExactlyInAnyOrderElementsOf(listed);
    assertThat(arrivals.subList(0, listed.size())).isNotEqualTo(listed);
    long demand = arrivals.stream().mapToLong(pod -> pod.gpu().totalMilli()).sum();
    assertThat(demand / (double) TRACE.capacityMilli()).isBetween(1.26, 1.34);
  }

  @Test
  void a_list_beyond_the_demand_loses_random_pods_seed_3() {
    List<PodRequests> arrivals = Arrivals.fillUp(TRACE, 0.2, new SplittableRandom(3));
    long demand = arrivals.stream().mapToLong(pod -> pod.gpu().totalMilli()).sum();
    assertThat(demand).isLessThanOrEqualTo(TRACE.capacityMilli() / 5);
    assertThat(demand).isGreaterThan(TRACE.capacityMilli() / 10);
  }

  @Test
  void the_same_seed_gives_the_same_run_and_another_seed_another() {
    for (String policy : GpuPolicies.NAMES) {
      FillUpResult first = run(policy, TieRule.RANDOM, 5);
      assertThat(run(policy, TieRule.RANDOM, 5).allocationPct()).isEqualTo(first.allocationPct());
      assertThat(run(policy, TieRule.RANDOM, 6).allocationPct())
          .isNotEqualTo(first.allocationPct());
    }
  }

  @Test
  void allocation_follows_demand_while_everything_fits_and_every_failure_has_a_reason() {
    for (String policy : GpuPolicies.NAMES) {
      FillUpResult run = run(policy, TieRule.PUBLISHED, 5);
      assertThat(run.allocationPct()).hasSize(131);
      assertThat(run.allocationPct()[30]).isBetween(28.0, 30.0);
      assertThat(run.finalAllocationPct()).isBetween(75.0, 100.0);
      int failed = run.failedPods()[130];
      assertThat(failed).isPositive();
      assertThat(sum(run.failedByReason())).isEqualTo(failed);
      assertThat(sum(run.failedByClass())).isEqualTo(failed);
      assertThat(run.failedByReason()).doesNotContainKey(Misfit.NONE);
      assertThat(run.failureRate(PodClass.EIGHT_GPU)).isBetween(0.0, 1.0);
    }
  }

  private static int sum(Map<?, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  @Test
  void fgd_and_the_shipped_model_beat_random_placement_on_workloads_like_none_it_saw() {
    double random = 0;
    double fgd = 0;
    double learned = 0;
    for (long seed = 1; seed <= 5; seed++) {
      random += run("random", TieRule.RANDOM, seed).finalAllocationPct() / 5;
      fgd += run("fgd", TieRule.RANDOM, seed).finalAllocationPct() / 5;
      learned += run("berth", TieRule.RANDOM, seed).finalAllocationPct() / 5;
    }
    assertThat(fgd).isGreaterThan(random + 1);
    assertThat(learned).isGreaterThan(random + 1);
  }

  @Test
  void threads_do_not_change_results_and_the_table_has_a_row_per_percent(@TempDir Path folder)
      throws IOException {
    List<String> policies = List.of("random", "fgd", "berth");
    List<FillUpResult> one =
        new FillUpExperiment(SCORERS, 1)
            .run(TRACE, 1.3, TieRule.RANDOM, policies, List.of(1L, 2L), run -> {});
    List<FillUpResult> two =
        new FillUpExperiment(SCORERS, 2)
            .run(TRACE, 1.3, TieRule.RANDOM, policies, List.of(1L, 2L), run -> {});
    for (int i = 0; i < one.size(); i++) {
      assertThat(two.get(i).policy()).isEqualTo(one.get(i).policy());
      assertThat(two.get(i).allocationPct()).isEqualTo(one.get(i).allocationPct());
    }
    Path csv = folder.resolve("out.csv");
    FillUpCsv.write(csv, one);
    List<String> lines = Files.readAllLines(csv);
    assertThat(lines.get(0))
        .isEqualTo(
            "trace,policy,seed,arrived_pct,allocation_pct,fragmentation_pct,failed_pods,seconds");
    assertThat(lines).hasSize(1 + 6 * 131);
    assertThat(lines.get(131)).startsWith("gpu-pods,random,1,130,");
    String table = new FillUpReport(one, "fgd").allocation();
    assertThat(table).contains("| berth |").contains("±").doesNotContain("NaN");
  }

  @Test
  void best_fit_is_placed_by_the_rule_it_names() {
    assertThat(new FillUp(TRACE, 1.3, TieRule.PUBLISHED).run(new BestFit(), 1).policy())
        .isEqualTo("best-fit");
  }
}
