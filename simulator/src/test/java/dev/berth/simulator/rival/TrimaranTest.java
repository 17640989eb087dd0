package dev.berth.simulator.rival;

import static dev.berth.simulator.rival.Ask.GIB;
import static dev.berth.simulator.rival.Ask.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.berth.policy.cluster.NodeSample;
import dev.berth.policy.cluster.Pod;
import dev.berth.simulator.engine.SimulationListener;
import org.junit.jupiter.api.Test;

/**
 * Scores are those of scheduler-plugins v0.34.7 {@code targetloadpacking_test.go}, {@code
 * analysis_test.go} and {@code loadvariationriskbalancing_test.go}: a node of one core and 1 GiB.
 */
class TrimaranTest {
  private static final Pod NOTHING = pod("p", 0, 0);

  private final TargetLoadPacking packing = new TargetLoadPacking("target-load-packing-0.34");
  private final LoadVariationRisk risk = new LoadVariationRisk("load-variation-risk-0.34");

  /** Two samples that have this mean and deviation, as shares of the node. */
  private static void known(
      SimulationListener plugin, double cpu, double cpuStd, double memory, double memoryStd) {
    for (int sign : new int[] {-1, 1}) {
      double at = 100 + sign;
      plugin.sampled(
          new NodeSample(
              "node",
              at - 30,
              at,
              cpu + sign * cpuStd,
              (memory + sign * memoryStd) * GIB,
              Double.NaN,
              Double.NaN),
          at);
    }
  }

  private double packing(double now, Pod pod) {
    return Ask.score(packing, now, pod, 1000, GIB);
  }

  private double risk(Pod pod) {
    return Ask.score(risk, 200, pod, 1000, GIB);
  }

  @Test
  void packing_prefers_the_target_and_falls_beyond() {
    assertThat(Math.round(TargetLoadPacking.packed(0))).as("new node").isEqualTo(40);
    assertThat(Math.round(TargetLoadPacking.packed(50))).as("hot node").isEqualTo(33);
    known(packing, 0.3, 0, 0, 0);
    tick(packing, 120);
    assertThat(packing(130, pod("p", 1000, 0))).as("excess utilisation").isZero();
    // 30 % and 1.5 x 50m: 60 x 37.5 / 40 + 40.
    assertThat(packing(130, pod("p", 50, 0))).isEqualTo(96);
  }

  @Test
  void packing_counts_pods_bound_up_to_a_minute_before_the_window_ended() {
    known(packing, 0.1, 0, 0, 0);
    packing.bound(pod("old", 100, 0), "node", 55);
    packing.bound(pod("young", 100, 0), "node", 65);
    tick(packing, 120);
    // Window ends at 120: of the two only the later counts. 10 + 15 + 1.5 %: 60 x 26.5 / 40 + 40.
    assertThat(packing(130, pod("p", 10, 0))).isEqualTo(80);
    packing.gone(pod("young", 100, 0), "node", 130);
    assertThat(packing(130, pod("p", 10, 0))).isEqualTo(57);
  }

  @Test
  void nodes_without_metrics_score_nothing() {
    tick(packing, 120);
    tick(risk, 120);
    assertThat(packing(130, NOTHING)).isZero();
    assertThat(risk(NOTHING)).isZero();
  }

  @Test
  void risk_is_half_of_mean_and_deviation() {
    assertThat(Math.round(LoadVariationRisk.score(40, 36, 10, 100))).isEqualTo(57);
    assertThat(LoadVariationRisk.score(40, 36, 10, 0)).isZero();
    known(risk, 0.5, 0, Double.NaN, 0);
    tick(risk, 120);
    assertThat(risk(NOTHING)).isEqualTo(75);
  }

  @Test
  void risk_of_cpu_alone_decides_where_memory_is_not_known() {
    known(risk, 0.3, 0.16, Double.NaN, 0);
    tick(risk, 120);
    assertThat(risk(pod("p", 200, GIB / 4))).isEqualTo(67);
  }

  @Test
  void risk_is_that_of_the_worse_resource() {
    known(risk, 0.4, 0.16, 0.5, 0.1);
    tick(risk, 120);
    assertThat(risk(pod("p", 100, GIB / 2))).as("memory").isEqualTo(45);
    LoadVariationRisk other = new LoadVariationRisk("load-variation-risk-0.34");
    known(other, 0.8, 0.2, 0.25, 0.15);
    tick(other, 120);
    assertThat(Ask.score(other, 200, pod("p", 100, GIB / 2), 1000, GIB)).as("CPU").isEqualTo(45);
  }

  @Test
  void what_a_fetch_brought_stays_for_a_minute_whatever_happens() {
    known(packing, 0.1, 0, 0, 0);
    tick(packing, 120);
    known(packing, 0.9, 0, 0, 0);
    tick(packing, 150);
    assertThat(packing(150, pod("p", 10, 0))).isEqualTo(57);
    tick(packing, 180);
    assertThat(packing(180, pod("p", 10, 0))).isEqualTo(6);
  }

  private static void tick(TargetLoadPacking plugin, double now) {
    plugin.watcher().advanced(now);
  }

  private static void tick(LoadVariationRisk plugin, double now) {
    plugin.watcher().advanced(now);
  }
}
