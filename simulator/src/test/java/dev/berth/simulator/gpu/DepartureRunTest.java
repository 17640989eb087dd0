package dev.berth.simulator.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.value.ValueModel;
import java.util.List;
import org.junit.jupiter.api.Test;

class DepartureRunTest {
  private static final GpuTrace TRACE = SampleTrace.small();
  private static final GpuPolicies SCORERS = new GpuPolicies(ValueModel.shipped());

  private static DepartureRun.Result run(String policy, double load, long seed) {
    DepartureRun.Settings settings = new DepartureRun.Settings(load, 3600, 12, 0.5);
    return new DepartureRun(TRACE, settings)
        .run(SCORERS.make(policy, TRACE, seed), TieRule.RANDOM, seed);
  }

  @Test
  void a_light_load_is_allocated_as_offered_and_nobody_waits_seed_2() {
    DepartureRun.Result light = run("fgd", 0.3, 2);
    assertThat(light.allocationPct()).isBetween(24.0, 36.0);
    assertThat(light.waitingPods()).isLessThan(1);
  }

  @Test
  void pods_wait_under_a_heavy_load_and_every_policy_sees_the_same_arrivals_seed_2() {
    DepartureRun.Result fgd = run("fgd", 1.1, 2);
    DepartureRun.Result random = run("random", 1.1, 2);
    assertThat(random.arrived()).isEqualTo(fgd.arrived());
    assertThat(fgd.waitingPods()).isPositive();
    assertThat(fgd.allocationPct()).isGreaterThan(random.allocationPct());
    assertThat(run("fgd", 1.1, 2).allocationPct()).isEqualTo(fgd.allocationPct());
  }

  @Test
  void a_trace_without_lifetimes_is_refused_with_the_columns_it_needs() {
    GpuTrace shapesOnly =
        new GpuTrace(
            "short",
            TRACE.nodes(),
            TRACE.pods().stream()
                .map(
                    pod ->
                        new GpuTrace.PodRow(
                            pod.name(), pod.shape(), Double.NaN, Double.NaN, Double.NaN))
                .toList());
    DepartureRun run = new DepartureRun(shapesOnly, new DepartureRun.Settings(1, 60, 1, 0));
    assertThatThrownBy(() -> run.run(SCORERS.make("fgd", shapesOnly, 1), TieRule.RANDOM, 1))
        .hasMessageContaining("scheduled_time and deletion_time");
  }

  @Test
  void the_table_compares_with_the_rival_seed_by_seed() {
    String table =
        DepartureReport.table(
            List.of(
                run("fgd", 0.9, 1), run("fgd", 0.9, 2), run("berth", 0.9, 1), run("berth", 0.9, 2)),
            "fgd");
    assertThat(table).contains("| berth |").contains("±").doesNotContain("NaN");
  }
}
