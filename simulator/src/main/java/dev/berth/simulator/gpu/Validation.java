package dev.berth.simulator.gpu;

import dev.berth.policy.gpu.FragmentationGradient;
import dev.berth.policy.gpu.TieRule;
import dev.berth.policy.gpu.TypicalPods;
import dev.berth.policy.gpu.value.GpuModel;
import dev.berth.policy.gpu.value.WorkloadProfile;
import java.util.ArrayList;
import java.util.List;

/** One trace on which models are judged against FGD, which runs once per seed. */
final class Validation {
  private static final double PENALTY_PER_POINT = 2;

  private final double goal;
  private final List<Long> seeds;
  private final FillUp fillUp;
  private final WorkloadProfile workload;
  private final List<FillUpResult> rivals = new ArrayList<>();

  /**
   * Runs FGD.
   *
   * @param goal wanted gain over FGD, points
   */
  Validation(GpuTrace trace, double demand, double goal, List<Long> seeds) {
    this.goal = goal;
    this.seeds = seeds;
    this.fillUp = new FillUp(trace, demand, TieRule.PUBLISHED);
    this.workload = GpuScorers.profile(trace);
    TypicalPods typical = TypicalPods.of(trace.shapes(), TypicalPods.PUBLISHED_COVERAGE);
    for (long seed : seeds) {
      rivals.add(fillUp.run(new FragmentationGradient(typical), seed));
    }
  }

  FillUpComparison judge(GpuModel model) {
    List<FillUpResult> ours = new ArrayList<>();
    for (long seed : seeds) {
      ours.add(fillUp.run(model.scorer(GpuScorers.LEARNED, workload), seed));
    }
    return FillUpComparison.of(ours, rivals);
  }

  /**
   * Gain beyond the goal, less a penalty for every guardrail missed. Limits are half of what is
   * promised, since other seeds differ.
   */
  double objective(FillUpComparison outcome) {
    double missed =
        outcome.missed(
            FillUpComparison.MAX_LAG_POINTS / 2, FillUpComparison.MAX_EXTRA_FAILURES / 2);
    return outcome.gain() - goal - PENALTY_PER_POINT * missed;
  }
}
