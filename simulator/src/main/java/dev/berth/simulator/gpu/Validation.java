package dev.berth.simulator.gpu;

import dev.berth.policy.gpu.FragmentationGradient;
import dev.berth.policy.gpu.PodClass;
import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.TypicalPods;
import dev.berth.policy.gpu.value.NodeValueScorer;
import dev.berth.policy.gpu.value.ValueModel;
import dev.berth.policy.gpu.value.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;

/**
 * One trace on which models are compared with FGD, seed by seed: the gain at the end and the
 * guardrails on the way. FGD runs once, when first asked for.
 */
final class Validation {
  /** Allocation on the way may not fall behind FGD by more than this many points... */
  private static final double MAX_LAG_POINTS = 0.05;

  /** ...nor may more 8-GPU pods fail; both half of what is promised, since other seeds differ. */
  private static final double MAX_EXTRA_FAILURES = 0.01;

  private static final double PENALTY_PER_POINT = 2;

  private final GpuTrace trace;
  private final double goal;
  private final List<Long> seeds;
  private final FillUp fillUp;
  private final WorkloadProfile workload;
  private final List<FillUpResult> rivals = new ArrayList<>();

  Validation(GpuTrace trace, double demand, double goal, List<Long> seeds) {
    this.trace = trace;
    this.goal = goal;
    this.seeds = seeds;
    this.fillUp = new FillUp(trace, demand, TieRule.PUBLISHED);
    this.workload = GpuScorers.profile(trace);
    TypicalPods typical = TypicalPods.of(trace.shapes(), TypicalPods.PUBLISHED_COVERAGE);
    for (long seed : seeds) {
      rivals.add(fillUp.run(new FragmentationGradient(typical), seed));
    }
  }

  /**
   * Differences to FGD, means over seeds.
   *
   * @param gain allocation at the end, points
   * @param at90 allocation at 90 % of demand, points
   * @param at100 allocation at 100 % of demand, points
   * @param failures8 failure rate of 8-GPU pods, 0..1
   * @param objective gain beyond the goal, less a penalty for every guardrail missed
   */
  record Outcome(
      String trace, double gain, double at90, double at100, double failures8, double objective) {}

  Outcome judge(ValueModel model) {
    double gain = 0;
    double at90 = 0;
    double at100 = 0;
    double failures8 = 0;
    for (int i = 0; i < seeds.size(); i++) {
      FillUpResult ours =
          fillUp.run(new NodeValueScorer(GpuScorers.LEARNED, model, workload), seeds.get(i));
      FillUpResult theirs = rivals.get(i);
      gain += (ours.finalAllocationPct() - theirs.finalAllocationPct()) / seeds.size();
      at90 += (ours.allocationAt(90) - theirs.allocationAt(90)) / seeds.size();
      at100 += (ours.allocationAt(100) - theirs.allocationAt(100)) / seeds.size();
      failures8 +=
          (ours.failureRate(PodClass.EIGHT_GPU) - theirs.failureRate(PodClass.EIGHT_GPU))
              / seeds.size();
    }
    double missed =
        Math.max(0, -MAX_LAG_POINTS - at90)
            + Math.max(0, -MAX_LAG_POINTS - at100)
            + 100 * Math.max(0, failures8 - MAX_EXTRA_FAILURES);
    return new Outcome(
        trace.name(), gain, at90, at100, failures8, gain - goal - PENALTY_PER_POINT * missed);
  }
}
